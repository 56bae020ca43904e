package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CassandraYamlTest {
  private final ClusterSpec spec = ClusterSpec.defaults();

  @Test
  void the_first_nodes_do_not_bootstrap_and_name_all_of_them_as_seeds() {
    RingPlan ring = new RingPlan(spec, true);

    assertThat(lines(spec, ring, 1))
        .contains(
            "listen_address: '127.0.0.2'",
            "rpc_address: '127.0.0.2'",
            "native_transport_port: 19042",
            "storage_port: 17000",
            "num_tokens: 1",
            "initial_token: '0'",
            "auto_bootstrap: false")
        .anyMatch(l -> l.contains("'127.0.0.1:17000,127.0.0.2:17000,127.0.0.3:17000'"));
  }

  @Test
  void a_joining_node_bootstraps_and_is_not_a_seed() {
    RingPlan ring = new RingPlan(spec.withNodes(1, 1), true);
    ring.addJoining();

    assertThat(lines(spec, ring, 1)).contains("auto_bootstrap: true");
    assertThat(ring.seeds()).isEqualTo("127.0.0.1:17000");
  }

  @Test
  void without_further_addresses_each_node_has_its_own_ports() {
    RingPlan ring = new RingPlan(spec, false);

    assertThat(lines(spec, ring, 2))
        .contains(
            "listen_address: '127.0.0.1'", "native_transport_port: 19044", "storage_port: 17002");
  }

  @Test
  void options_have_the_keys_of_the_version() {
    RingPlan ring = new RingPlan(spec, true);

    assertThat(lines(spec.withCassandra("4.0.19"), ring, 0))
        .contains("enable_materialized_views: true", "commitlog_sync_period_in_ms: 10000");
    assertThat(lines(spec, ring, 0))
        .contains("materialized_views_enabled: true", "commitlog_sync_period: '10000ms'");
  }

  @Test
  void passwords_are_required_only_with_auth() {
    RingPlan ring = new RingPlan(spec, true);

    assertThat(lines(spec, ring, 0)).noneMatch(l -> l.startsWith("authenticator"));
    assertThat(lines(spec.withAuth(true), ring, 0))
        .contains("authenticator: 'PasswordAuthenticator'", "authorizer: 'CassandraAuthorizer'");
  }

  @Test
  void an_option_of_the_spec_overrides_the_default_and_keeps_its_type() {
    RingPlan ring = new RingPlan(spec, true);
    ClusterSpec changed =
        spec.withYaml("auto_bootstrap", true)
            .withYaml("cluster_name", "it's")
            .withYaml("nested", Map.of("list", List.of(1, "two")));

    assertThat(lines(changed, ring, 0))
        .contains("auto_bootstrap: true", "cluster_name: 'it''s'", "nested: {'list': [1, 'two']}")
        .doesNotContain("auto_bootstrap: false");
  }

  @Test
  void nodes_of_several_data_centres_are_dealt_in_turn() {
    ClusterSpec two = spec.withDatacenters(2);
    RingPlan ring = new RingPlan(two, true);

    assertThat(lines(spec, ring, 0)).contains("endpoint_snitch: 'SimpleSnitch'");
    assertThat(lines(two, ring, 0)).contains("endpoint_snitch: 'GossipingPropertyFileSnitch'");
    assertThat(ring.nodes().stream().map(node -> CassandraYaml.rackdc(two, node)))
        .containsExactly(
            "dc=datacenter1\nrack=rack1\n",
            "dc=datacenter2\nrack=rack1\n",
            "dc=datacenter1\nrack=rack1\n");
  }

  private static List<String> lines(ClusterSpec spec, RingPlan ring, int node) {
    return CassandraYaml.of(spec, ring.nodes().get(node), ring.seeds()).lines().toList();
  }
}
