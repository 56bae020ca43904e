package io.sluice.server.admin;

import static io.sluice.server.settings.SettingsText.read;
import static io.sluice.server.settings.SettingsText.withCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.server.live.FakeConsole;
import io.sluice.server.live.LivePage;
import io.sluice.server.settings.AdminSettings;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.setting.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin port with TLS and with a token. */
class AdminPortTest {

  private static final String NO_TLS = "{mode: off}";
  private static final Secret TOKEN = new Secret("t0k3n");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private final LivePage live = new LivePage(registry);
  private final FakeConsole proxy = new FakeConsole();

  @TempDir private Path folder;

  private @Nullable AdminPort port;

  private URI open(String tls, @Nullable Secret token) throws IOException, InvalidSettings {
    String guard = token == null ? "" : ", token: " + token.reveal();
    AdminSettings at = read(withCluster("admin: {port: 0, tls: " + tls + guard + "}")).admin();
    AdminPort opened = AdminPort.open(at, () -> "starting", registry, live);
    port = opened;
    return URI.create(at.scheme() + "://localhost:" + opened.address().getPort() + "/");
  }

  @AfterEach
  void close() {
    live.close();
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
  @ValueSource(strings = {"metrics", "nothing"})
  void a_page_needs_the_token(String name) throws Exception {
    URI page = open(NO_TLS, TOKEN).resolve(name);
    int open = name.equals("nothing") ? 404 : 200;

    assertThat(status(page, "Bearer t0k3n")).isEqualTo(open);
    assertThat(status(page, "bearer  t0k3n")).as("the scheme's case is free").isEqualTo(open);
    for (String wrong :
        new String[] {"Bearer t0k3", "Bearer t0k3n1", "Bearer", "Basic t0k3n", ""}) {
      assertThat(status(page, wrong)).as(wrong).isEqualTo(401);
    }
    assertThat(status(page, null)).isEqualTo(401);
  }

  private static HttpResponse<Stream<String>> stream(URI pages, @Nullable String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(pages.resolve("live"));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofLines());
  }

  @Test
  void the_files_of_the_live_page_need_no_token_and_load_nothing_from_elsewhere() throws Exception {
    URI pages = open(NO_TLS, TOKEN);
    HttpResponse<String> index =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(pages).build(), BodyHandlers.ofString());
    assertThat(index.statusCode()).isEqualTo(200);
    assertThat(index.body()).doesNotContain("http://", "https://");
    assertThat(index.headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
    for (String file : List.of("live.css", "live.js", "uplot.css", "uplot.js")) {
      assertThat(index.body()).contains(file);
      assertThat(status(pages.resolve(file), null)).as(file).isEqualTo(200);
    }
  }

  @Test
  void the_stream_sends_the_last_hour_and_then_each_second() throws Exception {
    URI pages = open(NO_TLS, TOKEN);
    live.serving(proxy);
    assertThat(stream(pages, null).statusCode()).isEqualTo(401);
    HttpResponse<Stream<String>> events = stream(pages, "t0k3n");
    assertThat(events.statusCode()).isEqualTo(200);
    try (Stream<String> lines = events.body()) {
      List<String> first = lines.filter(line -> !line.isEmpty()).limit(2).toList();
      assertThat(first.get(0)).startsWith("data: {\"history\":[");
      assertThat(first.get(1))
          .startsWith("data: {\"now\":{\"time\":")
          .contains(",\"nodes\":[{\"node\":\"n1\"}],\"requests\":[],\"shadow\":[]")
          .contains("\"mode\":[{\"value\":\"enforce\"", "\"statements\":[],\"clients\":[]")
          .endsWith(",\"refusals\":[]}");
    }
  }

  @Test
  void without_a_token_only_a_request_by_address_gets_the_stream() throws Exception {
    URI pages = open(NO_TLS, null);
    for (String host : List.of("localhost", "127.0.0.1", "[::1]")) {
      assertThat(statusByHost(pages, host + ":" + pages.getPort())).as(host).isEqualTo(200);
    }
    assertThat(statusByHost(pages, "evil.example")).isEqualTo(401);
  }

  /** Sends the request by a socket, because the JDK's HTTP client sets the Host header itself. */
  private static int statusByHost(URI pages, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), pages.getPort())) {
      String request = "GET /live HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return statusOn(socket);
    }
  }

  private static int statusOn(Socket socket) throws IOException {
    byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
    return Integer.parseInt(new String(line, StandardCharsets.US_ASCII).substring(9));
  }

  private static HttpResponse<String> end(URI pages, String request, @Nullable String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(pages.resolve("requests/" + request + "/end"))
            .POST(HttpRequest.BodyPublishers.noBody());
    if (token != null) {
      post.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(post.build(), BodyHandlers.ofString());
  }

  @Test
  void a_request_is_ended_only_with_the_token() throws Exception {
    URI pages = open(NO_TLS, TOKEN);
    live.serving(proxy);
    assertThat(end(pages, "4097", null).statusCode()).isEqualTo(401);
    assertThat(proxy.told).isEmpty();
    assertThat(end(pages, "4097", "t0k3n").body()).isEqualTo("ended\n");
    assertThat(proxy.told)
        .containsExactly("end 4097 by an operator at the admin port, from 127.0.0.1");
    assertThat(end(pages, "1", "t0k3n").statusCode()).isEqualTo(404);
    assertThat(end(pages, "99999999999999999999", "t0k3n").statusCode()).isEqualTo(405);
    assertThat(status(pages.resolve("requests/1/end"), "Bearer t0k3n")).isEqualTo(405);
  }

  private static HttpResponse<String> mode(URI pages, String mode, @Nullable String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder post =
        HttpRequest.newBuilder(pages.resolve("mode/" + mode))
            .POST(HttpRequest.BodyPublishers.noBody());
    if (token != null) {
      post.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient().send(post.build(), BodyHandlers.ofString());
  }

  @Test
  void the_mode_is_switched_only_with_the_token_and_only_to_modes() throws Exception {
    URI pages = open(NO_TLS, TOKEN);
    assertThat(mode(pages, "passthrough", "t0k3n").body()).contains("does not serve yet");
    live.serving(proxy);
    assertThat(mode(pages, "passthrough", null).statusCode()).isEqualTo(401);
    assertThat(mode(pages, "none", "t0k3n").statusCode()).isEqualTo(405);
    assertThat(status(pages.resolve("mode/passthrough"), "Bearer t0k3n")).isEqualTo(405);
    assertThat(proxy.told).isEmpty();
    assertThat(mode(pages, "passthrough", "t0k3n").body())
        .isEqualTo("the mode is passthrough for 60 s\n");
    assertThat(proxy.told)
        .containsExactly(
            "set scheduling.mode to passthrough by an operator at the admin port, from 127.0.0.1");
  }

  @Test
  void no_mode_can_be_switched_where_no_token_is_set() throws Exception {
    URI pages = open(NO_TLS, null);
    live.serving(proxy);
    assertThat(mode(pages, "passthrough", null).statusCode()).isEqualTo(403);
    assertThat(proxy.told).isEmpty();
  }

  @Test
  void no_request_can_be_ended_where_no_token_is_set() throws Exception {
    URI pages = open(NO_TLS, null);
    live.serving(proxy);
    HttpResponse<String> refused = end(pages, "4097", null);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("admin.token");
    assertThat(proxy.told).isEmpty();
  }

  @Test
  void probes_need_no_token() throws Exception {
    URI pages = open(NO_TLS, TOKEN);
    assertThat(status(pages.resolve("livez"), null)).isEqualTo(200);
    assertThat(status(pages.resolve("readyz"), null)).isEqualTo(503);
    assertThat(status(pages.resolve("livez/../metrics"), null)).isEqualTo(401);
    assertThat(status(pages.resolve("/livez%2f..%2fmetrics"), null)).isNotEqualTo(200);
  }

  @Test
  void connections_above_the_limit_wait_until_another_is_closed() throws Exception {
    int at = open(NO_TLS, TOKEN).getPort();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < AdminPort.MAX_CONNECTIONS; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), at));
        askIfAlive(sockets.get(i));
        assertThat(statusOn(sockets.get(i))).isEqualTo(200);
      }
      Socket oneMore = new Socket(InetAddress.getLoopbackAddress(), at);
      sockets.add(oneMore);
      oneMore.setSoTimeout(300);
      askIfAlive(oneMore);
      assertThatThrownBy(() -> statusOn(oneMore)).isInstanceOf(SocketTimeoutException.class);

      sockets.get(0).close();

      oneMore.setSoTimeout(0);
      assertThat(statusOn(oneMore)).isEqualTo(200);
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
    }
  }

  private static void askIfAlive(Socket socket) throws IOException {
    String request = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private X509Bundle authority(String name) throws Exception {
    return new CertificateBuilder()
        .subject("CN=" + name)
        .ecp256()
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  private String shows(X509Bundle authority) throws Exception {
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .ecp256()
            .buildIssuedBy(authority);
    Path certificate = Files.writeString(folder.resolve("tls.crt"), own.getCertificatePathPEM());
    Path key = Files.writeString(folder.resolve("tls.key"), own.getPrivateKeyPEM());
    return "{mode: required, certificate: %s, key: %s}".formatted(certificate, key);
  }

  private static HttpClient trusting(X509Bundle authority) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, authority.toTrustManagerFactory().getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void pages_are_served_only_over_tls() throws Exception {
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
