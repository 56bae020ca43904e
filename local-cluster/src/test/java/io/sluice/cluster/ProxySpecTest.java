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
  void sluice_is_given_the_smallest_useful_configuration() {
    assertThat(new ProxySpec("sluice", NODES, "dc1", 9042, 9043, "").configuration().lines())
        .containsExactly(
            "cql:     {host: 127.0.0.1, port: 9042}",
            "cluster: {contactPoints: [\"localhost:19042\"], localDatacenter: dc1}",
            "admin:   {host: 127.0.0.1, port: 9043}");
  }

  @Test
  void a_proxy_with_peers_says_where_it_is_itself() {
    ProxySpec spec = new ProxySpec("a", NODES, "dc1", 1, 2, List.of(3, 5), "");

    assertThat(spec.configuration().lines())
        .first()
        .isEqualTo(
            "cql:     {host: 127.0.0.1, port: 1, advertise: \"127.0.0.1:1\","
                + " peers: [\"127.0.0.1:3\", \"127.0.0.1:5\"]}");
  }

  @Test
  void further_lines_stand_after_it() {
    ProxySpec spec = new ProxySpec("o", NODES, "dc1", 1, 2, "scheduling: {pointPriority: false}\n");

    assertThat(spec.configuration().lines()).last().asString().startsWith("scheduling:");
  }
}
