package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.accept.CertifiedRole;
import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.Side;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The three sections of TLS, their secrets, and the messages about their faults. */
class TlsSettingsTest {

  private static final String CLUSTER = "contactPoints: [10.0.0.1], localDatacenter: dc1";
  private static final String SECRET = "s3cr3t: #'\"";

  @TempDir private Path folder;

  @BeforeEach
  void files() throws Exception {
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=localhost")
            .ecp256()
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    write("tls.crt", own.getCertificatePEM());
    write("tls.key", own.getPrivateKeyPEM());
    write("password", SECRET + "\n");
  }

  private SettingsReader reader() {
    return new SettingsReader(Map.of("NAME", "value"));
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  /** Reads a file in which @ stands for the folder and {@code ~} for the cluster's other keys. */
  private Settings read(String text) throws IOException, InvalidSettings {
    return reader().read(file(text), "config.yml");
  }

  private ConfigurationSourceProvider file(String text) {
    String whole = text.replace("@", folder.toString()).replace("~", CLUSTER);
    return path -> new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8));
  }

  private List<Fault> faults(String text) {
    return catchThrowableOfType(InvalidSettings.class, () -> read(text)).faults();
  }

  @Test
  void each_key_reaches_the_core() throws Exception {
    Settings settings =
        read(
            """
            cql:
              tls: {mode: optional, certificate: @/tls.crt, key: @/tls.key, clientAuth: want,
                    trust: @/tls.crt, protocols: [TLSv1.3], ciphers: [TLS_AES_128_GCM_SHA256]}
            cluster: {~, tls: {mode: required, trust: @/tls.crt, serverName: c.example,
                               certificate: @/tls.crt, key: @/tls.key, verifyHost: false}}
            admin:
              tls: {mode: required, certificate: @/tls.crt, key: @/tls.key}
              token: ${file:@/password}
            """);
    TlsKeys keys = TlsKeys.pem(folder + "/tls.crt", folder + "/tls.key");
    TlsTrust trust = TlsTrust.pem(folder + "/tls.crt");

    assertThat(settings.proxyConfig().cql().tls())
        .isEqualTo(
            new TlsConfig(
                Side.CLIENT,
                Mode.OPTIONAL,
                keys,
                trust,
                ClientAuth.WANT,
                HostCheck.ADDRESS,
                List.of("TLSv1.3"),
                List.of("TLS_AES_128_GCM_SHA256")));
    assertThat(settings.proxyConfig().cluster().tls())
        .isEqualTo(
            new TlsConfig(
                Side.NODE,
                Mode.REQUIRED,
                keys,
                trust,
                ClientAuth.NONE,
                new HostCheck(false, "c.example"),
                TlsConfig.PROTOCOLS,
                List.of()));
    assertThat(settings.admin().tlsConfig().keys()).isEqualTo(keys);
    assertThat(settings.admin().token()).isEqualTo(new Secret(SECRET));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cql: {tls: {mode: required}} | cql.tls.certificate | must be set, or keyStore",
        "cql: {tls: {mode: requierd}} | cql.tls.mode | must be one of off, optional, required",
        "cql: {tls: {mode: required, certificate: @/tls.crt}} | cql.tls.key"
            + " | must be set where certificate is",
        "cql: {tls: {mode: required, keyStore: x}} | cql.tls.keyStorePassword"
            + " | must be set where keyStore is",
        "cql: {tls: {mode: required, certificate: @/tls.crt, key: @/tls.key, clientAuth: require}}"
            + " | cql.tls.trust | must be set where clientAuth is not none",
        "cql: {tls: {mode: required, certificate: @/none, key: @/tls.key}} | cql.tls.certificate"
            + " | must be a file that exists",
        "cql: {tls: {verifyHost: true}} | cql.tls.verifyHost | no such key",
        "admin: {tls: {mode: optional, certificate: @/tls.crt, key: @/tls.key}} | admin.tls.mode"
            + " | must be off or required",
        "admin: {token: ''} | admin.token | must not be empty",
        "admin: {token: {a: 1}} | admin.token | must be a text",
      })
  void a_fault_names_its_key(String line, String key, String problem) {
    assertThat(faults(line + "\ncluster: {~}\n"))
        .hasSize(1)
        .allSatisfy(
            fault -> {
              assertThat(fault.key()).isEqualTo(key);
              assertThat(fault.problem()).isEqualTo(problem);
            });
  }

  @Test
  void encryption_of_nodes_that_is_optional_is_refused() {
    assertThat(faults("cluster: {~, tls: {mode: optional}}"))
        .extracting(Fault::toString)
        .containsExactly(
            "cluster.tls.mode: \"optional\"\n      must be off or required;"
                + " an attacker could take encryption away from an optional one");
  }

  @Test
  void a_file_stands_for_a_value_whatever_it_holds() throws Exception {
    assertThat(
            read("cluster: {~, credentials: {username: ${NAME}, password: ${file:@/password}}}")
                .cluster()
                .credentials())
        .isEqualTo(new ClusterSettings.Login("value", SECRET));
    write("port", "9077");
    assertThat(read("cql: {port: \"${file:@/port}\"}\ncluster: {~}").cql().port()).isEqualTo(9077);
  }

  @Test
  void a_missing_file_is_a_fault_unless_there_is_a_default() throws Exception {
    assertThat(faults("admin: {token: ${file:@/none}}\ncluster: {~}"))
        .extracting(Fault::toString)
        .containsExactly(
            ("admin.token: \"${file:@/none}\"\n      must be a readable file of at most"
                    + " 64 KiB in UTF-8; check the path and its permissions, or write"
                    + " ${file:@/none:-default}")
                .replace("@", folder.toString()));
    assertThat(read("admin: {token: ${file:@/none:-other}}\ncluster: {~}").admin().token())
        .isEqualTo(new Secret("other"));
    assertThat(read("# ${file:@/none} in a comment\ncluster: {~}")).isNotNull();
  }

  @Test
  void a_folder_and_bytes_that_are_no_text_are_the_same_fault() throws Exception {
    Files.createDirectory(folder.resolve("directory"));
    Files.write(folder.resolve("latin1"), new byte[] {(byte) 0xE9, ' '});
    for (String name : List.of("directory", "latin1")) {
      assertThat(faults("admin: {token: ${file:@/" + name + "}}\ncluster: {~}"))
          .as(name)
          .extracting(Fault::key, Fault::value, Fault::problem)
          .containsExactly(
              tuple(
                  "admin.token",
                  "\"${file:" + folder.resolve(name) + "}\"",
                  "must be a readable file of at most 64 KiB in UTF-8"));
    }
    assertThat(read("admin: {token: ${file:@/directory:-other}}\ncluster: {~}").admin().token())
        .isEqualTo(new Secret("other"));
  }

  /** A secret in the wrong place is a fault, but no message repeats it. */
  @Test
  void no_message_contains_a_secret() {
    for (String line :
        List.of(
            "cql: {port: ${file:@/password}}",
            "cql: {tls: {mode: ${file:@/password}}}",
            "cql: {peers: [\"${file:@/password}\"]}",
            "cql: {peers: [a, \"${file:@/password}\"], port: 1.5}",
            "cql: {${NAME}: ${file:@/password}}",
            "ioThreads: ${file:@/password}",
            "scheduling: ${file:@/password}",
            "logging: {level: ${file:@/password}}",
            "cql: {tls: {mode: required, keyStore: @/tls.crt, keyStorePassword:"
                + " ${file:@/password}}}")) {
      assertThat(faults(line + "\ncluster: {~}"))
          .as(line)
          .isNotEmpty()
          .allSatisfy(fault -> assertThat(fault.toString()).doesNotContain("s3cr3t"));
    }
  }

  /** A port on which clients have certificates, with {@code roles} for them. */
  private static String certified(String roles) {
    return """
        cql:
          tls: {mode: required, certificate: @/tls.crt, key: @/tls.key, clientAuth: want, trust: @/tls.crt}
          certificateRoles:
            - {subject: "CN=a,O=b", role: a, password: "${file:@/password}"}
        %s
        cluster: {~}
        """
        .formatted(roles);
  }

  @Test
  void roles_by_certificate_reach_the_core_and_show_no_password() throws Exception {
    Settings settings =
        read(certified("    - {uri: \"spiffe://example.com/b/*\", role: b, password: p4ss}"));
    assertThat(settings.proxyConfig().cql().certificateRoles())
        .containsExactly(
            new CertifiedRole("CN=a,O=b", null, "a", new Secret(SECRET)),
            new CertifiedRole(null, "spiffe://example.com/b/*", "b", new Secret("p4ss")));
    assertThat(settings.toString()).doesNotContain("s3cr3t").doesNotContain("p4ss");
  }

  @Test
  void an_unusable_role_by_certificate_is_reported_without_its_password() {
    for (String broken :
        List.of(
            "    - {role: b, password: p4ss}",
            "    - {subject: \"no name\", role: b, password: p4ss}",
            "    - {subject: CN=b, password: p4ss}",
            "    - {subject: CN=b, role: b}",
            "    - {subject: CN=b, role: b, password: p4ss, pasword: p4ss}")) {
      assertThat(faults(certified(broken)))
          .as(broken)
          .isNotEmpty()
          .allSatisfy(
              fault ->
                  assertThat(fault.toString())
                      .contains("cql.certificateRoles[1]")
                      .doesNotContain("p4ss"));
    }
  }

  @Test
  void settings_as_a_text_hold_no_secret() throws Exception {
    Settings settings =
        read(
            """
            admin: {token: ${file:@/password}}
            cql: {tls: {mode: off, keyStorePassword: ${file:@/password}}}
            cluster: {~, credentials: {username: u, password: ${file:@/password}}}
            """);
    assertThat(settings.toString()).doesNotContain("s3cr3t").contains("****");
    assertThat(settings.proxyConfig().toString()).doesNotContain("s3cr3t");
    assertThat(Summary.of(settings)).doesNotContain("s3cr3t");
  }

  @Test
  void an_expired_certificate_is_a_fault_of_check_only() throws Exception {
    Instant now = Instant.now();
    X509Bundle expired =
        new CertificateBuilder()
            .subject("CN=localhost")
            .ecp256()
            .setIsCertificateAuthority(true)
            .notBefore(now.minus(2, ChronoUnit.DAYS))
            .notAfter(now.minus(1, ChronoUnit.DAYS))
            .buildSelfSigned();
    write("old.crt", expired.getCertificatePEM());
    write("old.key", expired.getPrivateKeyPEM());
    String text =
        """
        cql: {tls: {mode: required, certificate: @/old.crt, key: @/old.key}}
        cluster: {~}
        admin: {tls: {mode: required, certificate: @/tls.crt, key: @/tls.key}}
        """;

    assertThat(read(text).cql().tls().mode()).isEqualTo(Mode.REQUIRED);
    InvalidSettings found =
        catchThrowableOfType(InvalidSettings.class, () -> reader().check(file(text), "config.yml"));
    assertThat(found.faults())
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.key()).isEqualTo("cql.tls.certificate");
              assertThat(fault.problem()).startsWith("must hold a certificate that is valid now");
            });
  }

  @Test
  void the_summary_says_what_is_encrypted() throws Exception {
    assertThat(
            Summary.of(
                read(
                    """
                    cql: {tls: {mode: optional, certificate: @/tls.crt, key: @/tls.key}}
                    cluster: {~, tls: {mode: required, trust: @/tls.crt, verifyHost: false}}
                    admin: {tls: {mode: required, certificate: @/tls.crt, key: @/tls.key}, token: t}
                    """)))
        .contains("0.0.0.0:9042, TLS optional")
        .contains("TLS without verification of hosts")
        .contains("https://127.0.0.1:9043/, with a token");
  }
}
