package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.sluice.setting.RefusedSettings;
import io.sluice.setting.Secret;
import io.sluice.tls.TestCertificates;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Identity;
import io.sluice.wire.ProtocolError;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of roles by client certificate. */
class CertifiedRoleTest {

  private static final TestCertificates AUTHORITY = new TestCertificates();

  private static X509Certificate certificate(String subject, String... uris) {
    return AUTHORITY
        .issue(
            builder -> {
              CertificateBuilder named = builder.subject(subject);
              for (String uri : uris) {
                named = named.addSanUriName(URI.create(uri));
              }
              return named;
            })
        .getCertificate();
  }

  private static CertifiedRole bySubject(String subject, String role) {
    return new CertifiedRole(subject, null, role, new Secret("p"));
  }

  private static CertifiedRole byUri(String uri, String role) {
    return new CertifiedRole(null, uri, role, new Secret("p"));
  }

  private static @Nullable String role(X509Certificate certificate, CertifiedRole... roles) {
    try {
      Identity identity = CertifiedRole.of(certificate, List.of(roles));
      return identity == null ? null : identity.role();
    } catch (ProtocolError e) {
      assertThat(e.code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
      assertThat(e.getMessage()).contains("stands for no role").contains("cql.certificateRoles");
      return "refused";
    }
  }

  @Test
  void a_subject_is_compared_as_a_distinguished_name_and_not_as_a_text() {
    X509Certificate shown = certificate("CN=Reports,OU=a\\,b,O=Example");
    assertThat(role(shown, bySubject("cn=reports, ou=\"a,b\", o=example", "r"))).isEqualTo("r");
    assertThat(role(shown, bySubject("CN=Reports", "r"))).isEqualTo("refused");
    assertThat(role(shown, bySubject("O=Example,OU=a\\,b,CN=Reports", "r"))).isEqualTo("refused");
  }

  /** A resumed TLS session does not verify it again. */
  @Test
  void an_expired_certificate_stands_for_no_role() {
    X509Certificate shown = AUTHORITY.expired().getCertificate();
    List<CertifiedRole> roles = List.of(bySubject(shown.getSubjectX500Principal().getName(), "r"));
    assertThatThrownBy(() -> CertifiedRole.of(shown, roles))
        .isInstanceOf(ProtocolError.class)
        .hasMessageContaining("has expired");
  }

  @Test
  void a_uri_is_compared_byte_by_byte() {
    X509Certificate shown = certificate("CN=x", "spiffe://example.com/billing");
    assertThat(role(shown, byUri("spiffe://example.com/billing", "b"))).isEqualTo("b");
    assertThat(role(shown, byUri("spiffe://example.com/bill", "b"))).isEqualTo("refused");
    assertThat(role(shown, byUri("spiffe://example.com/Billing", "b"))).isEqualTo("refused");
    assertThat(role(shown, byUri("spiffe://example.com", "b"))).isEqualTo("refused");
  }

  @Test
  void all_uris_below_a_path_may_stand_for_one_role() {
    CertifiedRole below = byUri("spiffe://example.com/ns/shop/*", "shop");
    assertThat(role(certificate("CN=x", "spiffe://example.com/ns/shop/sa/web"), below))
        .isEqualTo("shop");
    for (String uri :
        List.of(
            "spiffe://example.com/ns/shop",
            "spiffe://example.com/ns/shop/",
            "spiffe://example.com/ns/shopping/sa",
            "spiffe://example.com/ns/shop/../admin",
            "spiffe://example.com/ns/shop/%2e%2e/admin",
            "spiffe://example.com/ns/shop//sa",
            "spiffe://other.com/ns/shop/sa")) {
      assertThat(role(certificate("CN=x", uri), below)).as(uri).isEqualTo("refused");
    }
  }

  @Test
  void a_certificate_with_several_uris_has_none() {
    X509Certificate shown = certificate("CN=x", "spiffe://example.com/a", "spiffe://example.com/b");
    assertThat(role(shown, byUri("spiffe://example.com/a", "a"))).isEqualTo("refused");
    assertThat(role(shown, byUri("spiffe://example.com/a", "a"), bySubject("CN=x", "x")))
        .isEqualTo("x");
  }

  @Test
  void the_first_matching_role_counts() {
    X509Certificate shown = certificate("CN=x", "spiffe://example.com/a");
    assertThat(
            role(
                shown,
                bySubject("CN=y", "y"),
                byUri("spiffe://example.com/a", "a"),
                bySubject("CN=x", "x")))
        .isEqualTo("a");
  }

  @Test
  void without_a_certificate_or_without_roles_a_client_logs_in_by_password() {
    assertThat(CertifiedRole.of(null, List.of(bySubject("CN=x", "x")))).isNull();
    assertThat(CertifiedRole.of(certificate("CN=x"), List.of())).isNull();
  }

  @Test
  void the_identity_is_that_of_a_login_with_the_role_s_password() {
    assertThat(CertifiedRole.of(certificate("CN=x"), List.of(bySubject("CN=x", "x"))))
        .isEqualTo(Identity.plain("x", "p"));
  }

  @Test
  void names_of_a_certificate_cannot_break_a_line_of_the_log() {
    assertThatThrownBy(
            () -> CertifiedRole.of(certificate("CN=a\nb"), List.of(bySubject("CN=x", "x"))))
        .hasMessageContaining("CN=a?b");
  }

  @Test
  void no_password_is_shown() {
    CertifiedRole role = new CertifiedRole("CN=x", null, "x", new Secret("hunter2"));
    assertThat(role.toString()).contains("CN=x").doesNotContain("hunter2");
  }

  private static List<String> problems(ClientAuth clientAuth, CertifiedRole... roles) {
    TlsConfig tls =
        TestCertificates.clients(
            Mode.REQUIRED, TlsKeys.pem("crt", "key"), TlsTrust.pem("ca"), clientAuth);
    try {
      ListenConfig.on("h", 0).withTls(tls, List.of(roles));
      return List.of();
    } catch (RefusedSettings e) {
      return e.all().stream().map(each -> each.key() + " " + each.requirement()).toList();
    }
  }

  @Test
  void roles_need_certificates() {
    assertThat(problems(ClientAuth.WANT, bySubject("CN=x", "x"))).isEmpty();
    assertThat(problems(ClientAuth.NONE, bySubject("CN=x", "x")))
        .containsExactly("cql.certificateRoles must not be set where clients show no certificates");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  void an_unusable_role_is_refused_with_its_position(int which) {
    CertifiedRole broken =
        List.of(
                new CertifiedRole(null, null, "x", new Secret("p")),
                new CertifiedRole("CN=x", "spiffe://a/b", "x", new Secret("p")),
                new CertifiedRole("CN=x", null, null, new Secret("p")),
                new CertifiedRole("CN=x", null, "a\0b", new Secret("p")),
                new CertifiedRole("CN=x", null, "x", new Secret("")),
                new CertifiedRole("no name", null, "x", new Secret("p")),
                new CertifiedRole(null, "/*", "x", new Secret("p")),
                new CertifiedRole("CN=x", null, "\0b", new Secret("p")),
                new CertifiedRole("CN=x", null, "x", new Secret("\0p")),
                new CertifiedRole(null, ":reports", "x", new Secret("p")),
                new CertifiedRole(null, "/*://a", "x", new Secret("p")),
                new CertifiedRole("CN=x", null, "", new Secret("p")))
            .get(which);
    assertThat(problems(ClientAuth.REQUIRE, bySubject("CN=x", "x"), broken))
        .singleElement()
        .asString()
        .startsWith("cql.certificateRoles[1] must have");
  }
}
