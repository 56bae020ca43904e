package io.sluice.testcontainers;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.wait.strategy.WaitStrategyTarget;

/** The wait for a container that no engine runs, with an admin port of the test. */
@Timeout(60)
class ReadyOrEndedTest {
  private static final int ADMIN_PORT = 9043;

  private HttpServer admin;
  private int status = 503;

  @BeforeEach
  void startAdminPort() throws IOException {
    admin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    admin.createContext(
        "/readyz",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    admin.start();
  }

  @AfterEach
  void stopAdminPort() {
    admin.stop(0);
  }

  /** Returns a container whose log has the lines 1 to 20. */
  private WaitStrategyTarget container(boolean running) {
    String log =
        IntStream.rangeClosed(1, 20).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));
    return (WaitStrategyTarget)
        Proxy.newProxyInstance(
            WaitStrategyTarget.class.getClassLoader(),
            new Class<?>[] {WaitStrategyTarget.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "isRunning" -> running;
                  case "getHost" -> "127.0.0.1";
                  case "getMappedPort" -> port((Integer) arguments[0]);
                  case "getLogs" -> log;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private int port(int inContainer) {
    return inContainer == ADMIN_PORT ? admin.getAddress().getPort() : 0;
  }

  private static void await(Duration limit, WaitStrategyTarget container) {
    new ReadyOrEnded(ADMIN_PORT, limit).waitUntilReady(container);
  }

  @Test
  void a_proxy_that_is_ready_ends_the_wait() {
    status = 200;

    assertThatCode(() -> await(Duration.ofHours(1), container(true))).doesNotThrowAnyException();
  }

  @Test
  void a_proxy_that_has_ended_fails_the_start_at_once_with_the_end_of_its_log() {
    assertThatThrownBy(() -> await(Duration.ofHours(1), container(false)))
        .isInstanceOf(ContainerLaunchException.class)
        .hasMessageStartingWith("Sluice has ended. The end of its log:\nline 11\nline 12")
        .hasMessageEndingWith("line 20");
  }

  @Test
  void a_proxy_that_is_never_ready_fails_the_start_after_the_limit() {
    assertThatThrownBy(() -> await(Duration.ZERO, container(true)))
        .isInstanceOf(ContainerLaunchException.class)
        .hasMessageStartingWith("Sluice is not ready after 0 s")
        .hasMessageEndingWith("line 20");
  }
}
