package io.sluice.tls;

import static io.sluice.tls.TestCertificates.clients;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBufAllocator;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of certificates and keys in each supported format, and of the messages about others. */
class TlsFilesTest {

  private static final String PASSWORD = "wR0ng-h0rse";

  private final TestCertificates authority = new TestCertificates();

  @TempDir private Path folder;

  private TlsConfig config(TlsKeys keys) {
    return clients(Mode.REQUIRED, keys);
  }

  private InvalidSetting refused(TlsConfig config) {
    return catchThrowableOfType(RefusedSettings.class, () -> Tls.load(config)).all().get(0);
  }

  private static String pem(String label, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(content));
  }

  private TlsKeys withKey(X509Bundle bundle, String key) {
    TlsKeys keys = TestCertificates.write(folder, "tls", bundle);
    TestCertificates.write(Path.of(keys.key()), key);
    return keys;
  }

  @Test
  void a_pkcs8_key_beside_its_chain_is_read() {
    TlsKeys keys = TestCertificates.write(folder, "tls", authority.issue());
    assertThat(Tls.load(config(keys)).notAfter()).isNotNull();
  }

  @Test
  void rsa_and_ed25519_keys_are_read() {
    for (CertificateBuilder.Algorithm each :
        List.of(CertificateBuilder.Algorithm.rsa2048, CertificateBuilder.Algorithm.ed25519)) {
      X509Bundle bundle = authority.issue(builder -> builder.algorithm(each));
      assertThat(Tls.load(config(TestCertificates.write(folder, "tls", bundle))).notAfter())
          .isNotNull();
    }
  }

  /** The default format of cert-manager's keys. */
  @Test
  void a_pkcs1_key_is_read() throws Exception {
    X509Bundle rsa = authority.issue(CertificateBuilder::rsa2048);
    byte[] pkcs1 = oldFormat(rsa);
    assertThat(Tls.load(config(withKey(rsa, pem("RSA PRIVATE KEY", pkcs1)))).isOn()).isTrue();
  }

  /** The format of `openssl ecparam -genkey`: the curve first, in a separate block. */
  @Test
  void a_sec1_key_behind_its_parameters_is_read() throws Exception {
    X509Bundle ec = authority.issue();
    byte[] sec1 =
        new ECPrivateKey(
                256,
                ((java.security.interfaces.ECPrivateKey) ec.getKeyPair().getPrivate()).getS(),
                SECObjectIdentifiers.secp256r1)
            .getEncoded();
    String text = pem("EC PARAMETERS", new byte[] {6, 0}) + pem("EC PRIVATE KEY", sec1);
    assertThat(Tls.load(config(withKey(ec, text))).isOn()).isTrue();
    assertThat(refused(config(withKey(ec, pem("EC PRIVATE KEY", new byte[] {48, 1}))))).isNotNull();
  }

  private static byte[] oldFormat(X509Bundle bundle) throws Exception {
    return PrivateKeyInfo.getInstance(bundle.getKeyPair().getPrivate().getEncoded())
        .parsePrivateKey()
        .toASN1Primitive()
        .getEncoded();
  }

  private static String encrypted(X509Bundle bundle) throws Exception {
    return pem(
        "ENCRYPTED PRIVATE KEY",
        new PKCS8Generator(
                PrivateKeyInfo.getInstance(bundle.getKeyPair().getPrivate().getEncoded()),
                new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                    .setProvider(new BouncyCastleProvider())
                    .setPRF(PKCS8Generator.PRF_HMACSHA256)
                    .setPassword(PASSWORD.toCharArray())
                    .build())
            .generate()
            .getContent());
  }

  @Test
  void an_encrypted_key_is_read_with_its_password_only() throws Exception {
    X509Bundle bundle = authority.issue();
    TlsKeys keys = withKey(bundle, encrypted(bundle));

    assertThat(Tls.load(config(withPassword(keys, PASSWORD))).isOn()).isTrue();
    assertThat(refused(config(keys)).requirement()).contains("keyPassword must be set");
    assertThat(refused(config(withPassword(keys, "another"))).requirement())
        .contains("is keyPassword the right one")
        .doesNotContain("another");
  }

  private static TlsKeys withPassword(TlsKeys keys, String password) {
    return new TlsKeys(keys.certificate(), keys.key(), new Secret(password), null, null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void a_store_is_read_with_its_password_only(String type) throws Exception {
    KeyStore from = authority.issue().toKeyStore(PASSWORD.toCharArray());
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    String alias = keyAlias(from);
    store.setKeyEntry(
        "own",
        from.getKey(alias, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        from.getCertificateChain(alias));
    Path file = folder.resolve("store");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }

    Tls tls = Tls.load(config(TlsKeys.store(file.toString(), new Secret(PASSWORD))));
    assertThat(tls.notAfter()).isNotNull();

    InvalidSetting refused = refused(config(TlsKeys.store(file.toString(), new Secret("another"))));
    assertThat(refused.key()).isEqualTo("cql.tls.keyStorePassword");
    assertThat(refused.toString()).doesNotContain("another");
  }

  private static String keyAlias(KeyStore store) throws Exception {
    for (String alias : Collections.list(store.aliases())) {
      if (store.isKeyEntry(alias)) {
        return alias;
      }
    }
    throw new AssertionError("no key");
  }

  @Test
  void a_store_without_a_key_is_refused() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", authority.issue().getCertificate());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    store.store(out, PASSWORD.toCharArray());
    Path file = Files.write(folder.resolve("store"), out.toByteArray());

    assertThat(refused(config(TlsKeys.store(file.toString(), new Secret(PASSWORD)))).toString())
        .startsWith("cql.tls.keyStore must hold a private key");
  }

  @Test
  void each_unusable_file_is_named_by_its_key() {
    TlsKeys good = TestCertificates.write(folder, "tls", authority.issue());
    String text = TestCertificates.write(folder.resolve("text"), "no certificate\n");
    String broken =
        TestCertificates.write(folder.resolve("broken"), pem("CERTIFICATE", new byte[9]));
    String nothing = folder.resolve("nothing").toString();

    assertThat(refused(config(TlsKeys.pem(nothing, good.key()))).toString())
        .isEqualTo("cql.tls.certificate must be a file that exists, not " + nothing);
    assertThat(refused(config(TlsKeys.pem(text, good.key()))).toString())
        .startsWith("cql.tls.certificate must hold certificates in PEM");
    assertThat(refused(config(TlsKeys.pem(broken, good.key()))).key())
        .isEqualTo("cql.tls.certificate");
    assertThat(refused(config(TlsKeys.pem(good.certificate(), text))).toString())
        .startsWith("cql.tls.key must hold the private key");
    assertThat(refused(config(TlsKeys.pem(good.certificate(), folder.toString()))).key())
        .isEqualTo("cql.tls.key");
    assertThat(
            refused(TestCertificates.nodes(TlsKeys.NONE, TlsTrust.pem(text), HostCheck.ADDRESS))
                .key())
        .isEqualTo("cluster.tls.trust");
  }

  @Test
  void a_file_too_large_for_a_certificate_is_not_read() throws Exception {
    TlsKeys keys = TestCertificates.write(folder, "tls", authority.issue());
    try (RandomAccessFile file =
        new RandomAccessFile(Objects.requireNonNull(keys.certificate()), "rw")) {
      file.setLength((16 << 20) + 1);
    }
    assertThat(refused(config(keys)).toString())
        .startsWith("cql.tls.certificate ")
        .contains("more than 16777216 bytes");
  }

  @Test
  void the_key_of_another_certificate_is_refused() {
    TlsKeys one = TestCertificates.write(folder, "one", authority.issue());
    TlsKeys two = TestCertificates.write(folder, "two", authority.issue());
    assertThat(refused(config(TlsKeys.pem(one.certificate(), two.key()))).toString())
        .startsWith("cql.tls.key must hold the private key of the certificate")
        .contains("it is the key of another certificate");
  }

  private TlsConfig withCiphers(String... ciphers) {
    return new TlsConfig(
        TlsConfig.Side.CLIENT,
        Mode.REQUIRED,
        TestCertificates.write(folder, "tls", authority.issue()),
        TlsTrust.DEFAULT,
        TlsConfig.ClientAuth.NONE,
        HostCheck.ADDRESS,
        List.of("TLSv1.3"),
        List.of(ciphers));
  }

  @Test
  void an_unknown_cipher_suite_is_refused_with_its_position() {
    TlsConfig config = withCiphers("TLS_AES_128_GCM_SHA256", "ROT13");
    assertThat(refused(config).key()).isEqualTo("cql.tls.ciphers[1]");
  }

  @Test
  void only_the_named_cipher_suites_are_used() {
    try (Tls tls = Tls.load(withCiphers("TLS_AES_256_GCM_SHA384"))) {
      assertThat(tls.serverEngine(ByteBufAllocator.DEFAULT).getEnabledCipherSuites())
          .containsExactly("TLS_AES_256_GCM_SHA384");
    }
  }

  @Test
  void contradicting_settings_are_refused_before_a_file_is_read() {
    TlsKeys keys = new TlsKeys("a", null, null, "b", null);
    assertThat(
            catchThrowableOfType(
                    RefusedSettings.class,
                    () ->
                        new TlsConfig(
                            TlsConfig.Side.ADMIN,
                            Mode.OPTIONAL,
                            keys,
                            new TlsTrust(null, null, null),
                            TlsConfig.ClientAuth.REQUIRE,
                            HostCheck.ADDRESS,
                            List.of("SSLv3"),
                            List.of()))
                .all())
        .extracting(InvalidSetting::key)
        .containsExactly(
            "admin.tls.mode",
            "admin.tls.trust",
            "admin.tls.protocols",
            "admin.tls.key",
            "admin.tls.keyStore",
            "admin.tls.keyStorePassword");
  }

  @Test
  void a_secret_is_in_no_text() {
    TlsKeys keys = new TlsKeys("a", "b", new Secret(PASSWORD), null, null);
    assertThat(clients(Mode.REQUIRED, keys).toString()).doesNotContain(PASSWORD).contains("****");
  }
}
