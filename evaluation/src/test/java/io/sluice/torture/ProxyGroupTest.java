package io.sluice.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ProxySpec;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The specifications of the proxies, without processes. */
class ProxyGroupTest {
  private static final List<InetSocketAddress> NODES =
      List.of(
          InetSocketAddress.createUnresolved("127.0.0.1", 9042),
          InetSocketAddress.createUnresolved("127.0.0.2", 9042));

  private static Plan plan(int proxies, boolean homes, int firstPort) {
    return new Plan(10, 3, proxies, homes, firstPort, 9042, 7000, Path.of("torture"), null);
  }

  private static ProxyGroup group(int proxies, boolean homes) {
    return new ProxyGroup(plan(proxies, homes, 9100), NODES, "dc1");
  }

  private static InetSocketAddress proxy(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @Test
  void each_proxy_has_two_ports_and_knows_the_others() {
    ProxySpec second = group(3, false).spec(1, "proxy-2-1");

    assertThat(second.name()).isEqualTo("proxy-2-1");
    assertThat(second.port()).isEqualTo(9102);
    assertThat(second.adminPort()).isEqualTo(9103);
    assertThat(second.peers())
        .containsExactly(
            InetSocketAddress.createUnresolved("127.0.0.1", 9100),
            InetSocketAddress.createUnresolved("127.0.0.1", 9104));
    assertThat(second.nodes()).isEqualTo(NODES);
    assertThat(second.datacenter()).isEqualTo("dc1");
    assertThat(second.fleet()).isFalse();
    assertThat(second.homes()).isFalse();
  }

  @Test
  void proxies_with_homes_find_each_other_in_the_keyspace_of_the_fleet() {
    ProxySpec first = group(2, true).spec(0, "proxy-1-1");

    assertThat(first.fleet()).isTrue();
    assertThat(first.homes()).isTrue();
    assertThat(first.peers()).isEmpty();
  }

  @Test
  void the_first_session_has_all_proxies_and_each_further_one_a_single_proxy() {
    assertThat(group(2, false).contactPoints())
        .containsExactly(
            List.of(proxy(9100), proxy(9102)), List.of(proxy(9100)), List.of(proxy(9102)));
  }

  @Test
  void without_proxies_three_sessions_connect_to_the_nodes() {
    assertThat(group(0, false).contactPoints()).containsExactly(NODES, NODES, NODES);
  }

  @Test
  void a_port_in_use_is_named_before_anything_starts() throws IOException {
    int first = FreePorts.next();
    int second = FreePorts.next();
    while (second != first + 1) {
      first = second;
      second = FreePorts.next();
    }
    Plan plan = plan(1, false, first);
    ProxyGroup.requireFreePorts(plan);

    try (ServerSocket taken = new ServerSocket(second, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> ProxyGroup.requireFreePorts(plan))
          .isInstanceOf(ClusterFailure.class)
          .hasMessageContaining("port " + taken.getLocalPort());
    }
  }

  @Test
  void proxies_that_were_never_started_need_no_end() {
    group(2, false).close();
  }
}
