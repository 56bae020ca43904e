package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProxySpecTest {
  private static final List<InetSocketAddress> NODES =
      List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 19_042));

  @Test
  void sluice_gets_the_smallest_useful_configuration() {
    assertThat(new ProxySpec("sluice", NODES, "dc1", 9042, 9043, "").configuration().lines())
        .containsExactly(
            "cql:     {host: 127.0.0.1, port: 9042}",
            "cluster: {contactPoints: [\"localhost:19042\"], localDatacenter: dc1}",
            "admin:   {host: 127.0.0.1, port: 9043}");
  }

  @Test
  void a_proxy_with_peers_advertises_its_own_address() {
    List<InetSocketAddress> others =
        List.of(
            InetSocketAddress.createUnresolved("127.0.0.1", 3),
            InetSocketAddress.createUnresolved("127.0.0.3", 1));
    ProxySpec spec = new ProxySpec("a", NODES, "dc1", 1, 2, "").withPeers(others).at("127.0.0.2");

    assertThat(spec.configuration().lines())
        .first()
        .isEqualTo(
            "cql:     {host: 127.0.0.2, port: 1, advertise: \"127.0.0.2:1\","
                + " peers: [\"127.0.0.1:3\", \"127.0.0.3:1\"]}");
  }

  @Test
  void a_proxy_in_a_fleet_has_its_own_files() {
    ProxySpec spec = new ProxySpec("a", NODES, "dc1", 1, 2, "").inFleet();
    assertThat(spec.withHomes().configuration())
        .contains("advertise: \"127.0.0.1:1\", peers: keyspace, homes: true}");

    assertThat(spec.name()).isEqualTo("a-1");
    assertThat(spec.configuration().lines())
        .first()
        .isEqualTo(
            "cql:     {host: 127.0.0.1, port: 1, advertise: \"127.0.0.1:1\", peers: keyspace}");
  }

  @Test
  void the_proxy_has_a_login_if_the_nodes_require_one() {
    ProxySpec spec = new ProxySpec("a", NODES, "dc1", 1, 2, "").withLogin("u", "p");

    assertThat(spec.configuration().lines())
        .contains(
            "cluster: {contactPoints: [\"localhost:19042\"], localDatacenter: dc1,"
                + " credentials: {username: \"u\", password: \"p\"}}");
  }

  @Test
  void further_lines_follow_the_required_ones() {
    ProxySpec spec = new ProxySpec("o", NODES, "dc1", 1, 2, "scheduling: {pointPriority: false}\n");

    assertThat(spec.configuration().lines()).last().asString().startsWith("scheduling:");
  }
}
