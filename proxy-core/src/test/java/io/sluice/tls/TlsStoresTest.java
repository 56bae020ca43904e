package io.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBufAllocator;
import io.netty.pkitesting.X509Bundle;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of {@link TlsMaterial} and {@link TlsContext} with stores of keys and of authorities. */
class TlsStoresTest {

  private static final String STORE_PASSWORD = "store-horse";
  private static final String KEY_PASSWORD = "key-horse";

  private final TestCertificates authority = new TestCertificates();

  @TempDir private Path folder;

  private interface Fill {
    void into(KeyStore store) throws Exception;
  }

  private String store(String type, String password, Fill fill) throws Exception {
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    fill.into(store);
    Path file = folder.resolve("store");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
    return file.toString();
  }

  private static void addKey(KeyStore store, String alias, X509Bundle own, String password)
      throws Exception {
    store.setKeyEntry(
        alias, own.getKeyPair().getPrivate(), password.toCharArray(), own.getCertificatePath());
  }

  private static TlsKeys keys(String store, String keyPassword) {
    return new TlsKeys(
        null,
        null,
        keyPassword.isEmpty() ? null : new Secret(keyPassword),
        store,
        new Secret(STORE_PASSWORD));
  }

  private static InvalidSetting refused(TlsConfig config) {
    return catchThrowableOfType(RefusedSettings.class, () -> Tls.load(config)).all().get(0);
  }

  private static TlsConfig clients(TlsKeys keys) {
    return TestCertificates.clients(Mode.REQUIRED, keys);
  }

  private static TlsConfig nodes(TlsTrust trust) {
    return TestCertificates.nodes(TlsKeys.NONE, trust, HostCheck.ADDRESS);
  }

  @Test
  void a_key_may_have_another_password_than_its_store() throws Exception {
    String store =
        store("JKS", STORE_PASSWORD, into -> addKey(into, "own", authority.issue(), KEY_PASSWORD));
    assertThat(Tls.load(clients(keys(store, KEY_PASSWORD))).notAfter()).isNotNull();
    for (String wrong : List.of("", "another")) {
      InvalidSetting refused = refused(clients(keys(store, wrong)));
      assertThat(refused.key()).isEqualTo("cql.tls.keyPassword");
      assertThat(refused.requirement()).startsWith("must be that of the keys in keyStore");
      assertThat(refused.toString()).doesNotContain("another").doesNotContain(STORE_PASSWORD);
    }
  }

  @Test
  void the_first_certificate_to_expire_is_the_one_that_is_told() throws Exception {
    Instant soon = Instant.now().plus(10, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    Instant late = soon.plus(90, ChronoUnit.DAYS);
    X509Bundle first = authority.issue(builder -> builder.notAfter(late));
    X509Bundle second = authority.issue(builder -> builder.notAfter(soon));
    X509Certificate issuer = authority.expired().getCertificate();
    String store =
        store(
            "PKCS12",
            STORE_PASSWORD,
            into -> {
              addKey(into, "a", first, STORE_PASSWORD);
              addKey(into, "b", second, STORE_PASSWORD);
              into.setCertificateEntry("of another", issuer);
            });
    assertThat(Tls.load(clients(keys(store, ""))).notAfter()).isEqualTo(soon);
  }

  /** The JDK presents the one that is valid. */
  @Test
  void a_store_is_valid_while_one_of_its_certificates_is() throws Exception {
    String both =
        store(
            "PKCS12",
            STORE_PASSWORD,
            into -> {
              addKey(into, "a", authority.expired(), STORE_PASSWORD);
              addKey(into, "b", authority.issue(), STORE_PASSWORD);
            });
    assertThat(Tls.load(clients(keys(both, ""))).validityFault()).isNull();
    String expired =
        store(
            "JKS", STORE_PASSWORD, into -> addKey(into, "a", authority.expired(), STORE_PASSWORD));
    assertThat(Tls.load(clients(keys(expired, ""))).validityFault())
        .extracting(String::valueOf)
        .asString()
        .startsWith("cql.tls.keyStore must hold a certificate that is valid now")
        .endsWith(", not " + expired);
  }

  @Test
  void a_file_that_is_no_store_is_named() {
    String text = TestCertificates.write(folder.resolve("text"), "no store");
    InvalidSetting keys = refused(clients(keys(text, "")));
    assertThat(keys.toString()).startsWith("cql.tls.keyStore must be a PKCS#12 or JKS store");
    InvalidSetting trust = refused(nodes(new TlsTrust(null, text, new Secret(STORE_PASSWORD))));
    assertThat(trust.toString())
        .startsWith("cluster.tls.trustStore must be a PKCS#12 or JKS store");
  }

  @Test
  void a_trust_store_is_read_with_its_password() throws Exception {
    X509Certificate issuer = authority.issue().getCertificatePath()[0];
    String store = store("PKCS12", STORE_PASSWORD, into -> into.setCertificateEntry("ca", issuer));
    TlsTrust trust = new TlsTrust(null, store, new Secret(STORE_PASSWORD));
    try (Tls tls = Tls.load(nodes(trust))) {
      assertThat(tls.isOn()).isTrue();
      assertThat(tls.notAfter()).as("no certificate of its own").isNull();
    }
    InvalidSetting wrong = refused(nodes(new TlsTrust(null, store, new Secret("another"))));
    assertThat(wrong.key()).isEqualTo("cluster.tls.trustStorePassword");
    assertThat(wrong.toString()).doesNotContain("another");
  }

  /** An empty one would trust nobody, or everybody where a library takes it for unset. */
  @Test
  void a_trust_store_without_a_certificate_is_refused() throws Exception {
    String store = store("PKCS12", STORE_PASSWORD, into -> {});
    InvalidSetting refused = refused(nodes(new TlsTrust(null, store, new Secret(STORE_PASSWORD))));
    assertThat(refused.toString()).startsWith("cluster.tls.trustStore must hold certificates");
  }

  @Test
  void without_a_certificate_a_proxy_may_connect_to_nodes_but_not_accept() {
    try (Tls tls = Tls.load(nodes(TlsTrust.DEFAULT))) {
      assertThat(tls.isOn()).isTrue();
    }
    RefusedSettings refused =
        catchThrowableOfType(RefusedSettings.class, () -> clients(TlsKeys.NONE));
    assertThat(refused.all())
        .extracting(InvalidSetting::key)
        .containsExactly("cql.tls.certificate");
  }

  @ParameterizedTest
  @EnumSource
  void a_client_is_asked_for_a_certificate_as_configured(ClientAuth auth) {
    TlsKeys keys = TestCertificates.write(folder, "tls", authority.issue());
    TlsConfig config =
        TestCertificates.clients(Mode.REQUIRED, keys, authority.writeAuthority(folder), auth);
    try (Tls tls = Tls.load(config)) {
      SSLEngine engine = tls.serverEngine(ByteBufAllocator.DEFAULT);
      assertThat(engine.getNeedClientAuth()).isEqualTo(auth == ClientAuth.REQUIRE);
      assertThat(engine.getWantClientAuth()).isEqualTo(auth == ClientAuth.WANT);
      assertThat(engine.getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
      assertThat(engine.getUseClientMode()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OFF"},
      mode = EnumSource.Mode.EXCLUDE)
  void only_a_port_without_tls_leaves_a_connection_as_it_is(Mode mode) {
    TlsKeys keys = TestCertificates.write(folder, "tls", authority.issue());
    TlsPeer peer = new TlsPeer(authority.client().createSSLEngine());
    int before = peer.channel.pipeline().names().size();
    Tls.off(TlsConfig.Side.CLIENT).accept(peer.channel.pipeline(), new RecordedOutcome());
    assertThat(peer.channel.pipeline().names()).hasSize(before);
    Tls.load(TestCertificates.clients(mode, keys))
        .accept(peer.channel.pipeline(), new RecordedOutcome());
    assertThat(peer.channel.pipeline().names()).hasSize(before + 2);
    peer.close();
  }

  @Test
  void the_name_of_a_node_is_checked_unless_that_is_switched_off() {
    TlsTrust trust = authority.writeAuthority(folder);
    InetSocketAddress node = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
    for (boolean verify : new boolean[] {true, false}) {
      HostCheck check = new HostCheck(verify, null);
      try (Tls tls = Tls.load(TestCertificates.nodes(TlsKeys.NONE, trust, check))) {
        SSLEngine engine = tls.engine(ByteBufAllocator.DEFAULT, node);
        assertThat(engine.getUseClientMode()).isTrue();
        String algorithm = engine.getSSLParameters().getEndpointIdentificationAlgorithm();
        assertThat("HTTPS".equals(algorithm)).isEqualTo(verify);
      }
    }
  }
}
