package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.console.HostView;
import io.sluice.server.settings.InvalidSettings;
import io.sluice.server.settings.Settings;
import io.sluice.server.settings.SettingsText;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The admin port around a proxy, from start to stop. */
class HostTest {

  private final HttpClient http = HttpClient.newHttpClient();
  private final FakeProxy proxy = new FakeProxy(1);
  private Host host;

  @BeforeEach
  void start() throws Exception {
    host = started(settings(0), (config, registry, waiting, view, tracer) -> proxy);
  }

  @AfterEach
  void stop() {
    proxy.answered.countDown();
    host.stop(Duration.ZERO);
  }

  @Test
  void livez_is_200_while_the_process_runs() throws Exception {
    proxy.notReady = "no node is up";

    assertThat(get("livez").statusCode()).isEqualTo(200);
  }

  @Test
  void readyz_shows_the_reason_of_the_proxy() throws Exception {
    assertThat(get("readyz").statusCode()).isEqualTo(200);

    proxy.notReady = "no node is up";

    assertThat(get("readyz").statusCode()).isEqualTo(503);
    assertThat(get("readyz").body()).isEqualTo("no node is up\n");

    proxy.notReady = null;

    assertThat(get("readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void readyz_is_503_while_the_proxy_starts() throws Exception {
    List<HttpResponse<String>> seen = new ArrayList<>();
    int port = FreePorts.next();

    Host starting =
        started(
            settings(port),
            (config, registry, waiting, view, tracer) -> {
              seen.add(get(URI.create("http://127.0.0.1:" + port + "/readyz")));
              return proxy;
            });
    starting.stop(Duration.ZERO);

    assertThat(seen).extracting(HttpResponse::statusCode).containsExactly(503);
    assertThat(seen).extracting(HttpResponse::body).containsExactly("starting\n");
  }

  @Test
  void metrics_are_those_of_jvm_process_buffers_and_proxy() throws Exception {
    host.stop(Duration.ZERO);
    host =
        started(
            settings(0),
            (config, registry, waiting, view, tracer) -> {
              registry.counter("sluice.requests", "class", "point").increment();
              return proxy;
            });

    HttpResponse<String> answer = get("metrics");

    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValueSatisfying(
            type -> assertThat(type).startsWith("text/plain;").contains("version=0.0.4"));
    assertThat(answer.body())
        .contains("sluice_requests_total{class=\"point\"} 1.0")
        .contains("jvm_memory_used_bytes{")
        .contains("process_files_open_files")
        .contains("process_uptime_seconds")
        .contains("netty_allocator_memory_used{");
  }

  @Test
  void the_live_page_links_the_others() throws Exception {
    assertThat(get("").body()).contains("href=\"readyz\"", "href=\"metrics\"");
  }

  @Test
  void other_pages_and_methods_are_refused() throws Exception {
    assertThat(get("else").statusCode()).isEqualTo(404);
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(host.adminUrl() + "livez"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertThat(http.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void a_stop_makes_it_not_ready_then_waits_then_closes() throws Exception {
    URI readyz = URI.create(host.adminUrl() + "readyz");
    Thread stopping = new Thread(() -> host.stop(Duration.ofMinutes(1)));
    stopping.start();
    await().until(() -> proxy.told.contains("drain"));

    assertThat(get(readyz).statusCode()).isEqualTo(503);
    assertThat(get(readyz).body()).isEqualTo("draining\n");
    assertThat(proxy.told).containsExactly("drain");

    proxy.answered.countDown();
    stopping.join();

    assertThat(proxy.told).containsExactly("drain", "close");
    assertThatThrownBy(() -> get(readyz)).isInstanceOf(ConnectException.class);
  }

  @Test
  void requests_longer_than_the_drain_timeout_are_dropped() {
    host.stop(Duration.ofMillis(1));

    assertThat(proxy.answered.getCount()).isEqualTo(1);
    assertThat(proxy.told).containsExactly("drain", "close");
  }

  @Test
  void a_proxy_that_does_not_start_leaves_no_admin_port() throws Exception {
    int port = FreePorts.next();

    assertThatThrownBy(
            () ->
                started(
                    settings(port),
                    (config, registry, waiting, view, tracer) -> {
                      throw new IOException("nobody there");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("nobody there");
    assertThatThrownBy(() -> get(URI.create("http://127.0.0.1:" + port + "/livez")))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void an_admin_port_in_use_is_named() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(
              () -> started(settings(port), (config, registry, waiting, view, tracer) -> proxy))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("admin.port " + port)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void requests_are_traced_where_there_is_a_collector() throws Exception {
    List<String> told = new ArrayList<>();
    RunningProxy.Starter starter =
        (config, registry, waiting, view, tracer) -> {
          told.add(tracer == null ? "none" : "traced");
          return proxy;
        };
    started(settings(0), starter).stop(Duration.ZERO);
    Settings tracing =
        SettingsText.read(
            """
            cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}
            admin: {port: 0}
            tracing: {otlp: {endpoint: "http://127.0.0.1:4318/v1/traces"}}
            """);
    started(tracing, starter).stop(Duration.ZERO);
    assertThat(told).containsExactly("none", "traced");
  }

  private HttpResponse<String> get(String page) throws IOException {
    return get(URI.create(host.adminUrl() + page));
  }

  private HttpResponse<String> get(URI page) throws IOException {
    try {
      return http.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Host started(Settings settings, RunningProxy.Starter starter) throws IOException {
    return new Host(settings, starter, new ServiceNotifier(Map.of()), HostView.NONE);
  }

  private static Settings settings(int adminPort) throws IOException, InvalidSettings {
    String text =
        "cluster: {contactPoints: [127.0.0.1], localDatacenter: dc1}\n"
            + "admin: {port: "
            + adminPort
            + "}\n";
    return SettingsText.read(text);
  }
}
