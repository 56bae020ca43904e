package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopbackTest {
  @Test
  void a_port_in_use_is_named_with_its_purpose() throws IOException {
    try (ServerSocket taken = listen();
        ServerSocket other = listen()) {
      ClusterSpec spec =
          ClusterSpec.defaults()
              .withNodes(1, 1)
              .withPorts(taken.getLocalPort(), other.getLocalPort());
      List<NodePlan> plans = new RingPlan(spec, true).nodes();

      assertThatThrownBy(() -> Loopback.requireFreePorts(plans))
          .isInstanceOf(ClusterFailure.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort() + " (native port of node 1")
          .hasMessageContaining("127.0.0.1:" + other.getLocalPort() + " (storage port of node 1")
          .hasMessageContaining("Nothing was started");
    }
  }

  @Test
  void a_single_port_is_named_with_the_option_that_changes_it() throws IOException {
    try (ServerSocket taken = listen()) {
      assertThatThrownBy(() -> Loopback.requireFree(taken.getLocalPort(), "--port"))
          .hasMessageContaining("port " + taken.getLocalPort())
          .hasMessageContaining("choose --port");
    }
  }

  @Test
  void free_ports_are_accepted() throws IOException {
    ClusterSpec spec = ClusterSpec.defaults().withNodes(1, 1).withPorts(freePort(), freePort());

    assertThatCode(() -> Loopback.requireFreePorts(new RingPlan(spec, true).nodes()))
        .doesNotThrowAnyException();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = listen()) {
      return socket.getLocalPort();
    }
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }
}
