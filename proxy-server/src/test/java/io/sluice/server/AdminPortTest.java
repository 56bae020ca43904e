package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig.Mode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin port with TLS and with a token. */
class AdminPortTest {

  private static final Secret TOKEN = new Secret("t0k3n");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @TempDir private Path folder;

  private @Nullable AdminPort port;

  private URI open(TlsSettings tls, @Nullable Secret token) throws IOException {
    AdminSettings at = new AdminSettings("127.0.0.1", 0, tls, token);
    AdminPort opened = AdminPort.open(at, new Readiness(), registry);
    port = opened;
    return URI.create(at.scheme() + "://localhost:" + opened.address().getPort() + "/");
  }

  @AfterEach
  void close() {
    if (port != null) {
      port.close();
    }
  }

  private static int status(HttpClient client, URI page, @Nullable String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(page);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.body()).doesNotContain(TOKEN.reveal());
    return answer.statusCode();
  }

  private static int status(URI page, @Nullable String authorization) throws Exception {
    return status(HttpClient.newHttpClient(), page, authorization);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "metrics", "nothing"})
  void a_page_needs_the_token(String name) throws Exception {
    URI page = open(TlsSettings.defaults(), TOKEN).resolve(name);
    int open = name.equals("nothing") ? 404 : 200;

    assertThat(status(page, "Bearer t0k3n")).isEqualTo(open);
    assertThat(status(page, "bearer  t0k3n")).as("the scheme's case is free").isEqualTo(open);
    for (String wrong :
        new String[] {"Bearer t0k3", "Bearer t0k3n1", "Bearer", "Basic t0k3n", ""}) {
      assertThat(status(page, wrong)).as(wrong).isEqualTo(401);
    }
    assertThat(status(page, null)).isEqualTo(401);
  }

  @Test
  void probes_need_no_token() throws Exception {
    URI pages = open(TlsSettings.defaults(), TOKEN);
    assertThat(status(pages.resolve("livez"), null)).isEqualTo(200);
    assertThat(status(pages.resolve("readyz"), null)).isEqualTo(503);
    assertThat(status(pages.resolve("livez/../metrics"), null)).isEqualTo(401);
    assertThat(status(pages.resolve("/livez%2f..%2fmetrics"), null)).isNotEqualTo(200);
  }

  private X509Bundle authority(String name) throws Exception {
    return new CertificateBuilder()
        .subject("CN=" + name)
        .ecp256()
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  private TlsSettings shows(X509Bundle authority) throws Exception {
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .ecp256()
            .buildIssuedBy(authority);
    Path certificate = Files.writeString(folder.resolve("tls.crt"), own.getCertificatePathPEM());
    Path key = Files.writeString(folder.resolve("tls.key"), own.getPrivateKeyPEM());
    TlsSettings none = TlsSettings.defaults();
    return new TlsSettings(
        Mode.REQUIRED,
        certificate.toString(),
        key.toString(),
        null,
        null,
        null,
        none.clientAuth(),
        null,
        null,
        null,
        none.protocols(),
        List.of());
  }

  private static HttpClient trusting(X509Bundle authority) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, authority.toTrustManagerFactory().getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void pages_are_served_over_tls_only() throws Exception {
    X509Bundle authority = authority("one");
    URI pages = open(shows(authority), null);

    assertThat(status(trusting(authority), pages.resolve("livez"), null)).isEqualTo(200);
    assertThatThrownBy(() -> status(trusting(authority("two")), pages.resolve("livez"), null))
        .isInstanceOf(IOException.class);
    URI plain = URI.create(pages.resolve("livez").toString().replace("https", "http"));
    assertThatThrownBy(() -> status(plain, null)).isInstanceOf(IOException.class);

    await()
        .untilAsserted(
            () ->
                assertThat(registry.scrape())
                    .contains("sluice_tls_handshakes_total{side=\"admin\"} 1.0")
                    .contains("handshake_failures_total{cause=\"plain\",side=\"admin\"} ")
                    .doesNotContain("cause=\"plain\",side=\"admin\"} 0.0")
                    .contains("sluice_tls_certificate_expiry_seconds{side=\"admin\"}"));
  }
}
