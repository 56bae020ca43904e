package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The statements for the keyspace of the fleet, and the faults of a replication. */
class FleetSchemaTest {
  private static final Map<String, Integer> NODES = Map.of("east", 3, "west", 2);

  private static FleetSchema of(String datacenter, int copies) {
    return new FleetSchema(Map.of(datacenter, copies));
  }

  @Test
  void the_keyspace_has_its_copies_by_data_centre() {
    assertThat(new FleetSchema(Map.of("west", 2, "east", 3)).keyspace())
        .isEqualTo(
            "CREATE KEYSPACE IF NOT EXISTS sluice WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'east': 3, 'west': 2}");
  }

  @Test
  void a_name_with_a_quote_stays_a_name() {
    assertThat(of("a'} AND durable_writes = false --", 1).keyspace())
        .endsWith("'a''} AND durable_writes = false --': 1}");
  }

  @Test
  void rows_do_not_outlast_their_proxies() {
    assertThat(FleetSchema.table())
        .startsWith("CREATE TABLE IF NOT EXISTS sluice.proxies (")
        .contains("PRIMARY KEY (datacenter, instance)")
        .contains("default_time_to_live = 60 AND gc_grace_seconds = 600");
  }

  @Test
  void learned_sizes_outlast_their_proxies_by_a_day() {
    assertThat(FleetSchema.tables()).hasSize(2).contains(FleetSchema.table());
    assertThat(FleetSchema.learned())
        .startsWith("CREATE TABLE IF NOT EXISTS sluice.learned (")
        .contains("PRIMARY KEY (datacenter, address, port)")
        .contains("default_time_to_live = 86400");
  }

  @Test
  void a_table_of_an_earlier_version_gets_the_missing_columns() {
    assertThat(FleetSchema.additions(List.of("datacenter", "beat", "secret")))
        .containsExactly("ALTER TABLE sluice.proxies ADD demand text");
    assertThat(FleetSchema.additions(List.of("beat", "secret", "demand"))).isEmpty();
  }

  @Test
  void the_usual_replication_fits_the_cluster() {
    FleetSchema usual = FleetSchema.usual(Map.of("east", 9, "west", 2));

    assertThat(usual.option()).isEqualTo("east:3,west:2");
    assertThat(usual.faults(Map.of("east", 9, "west", 2), "east")).isEmpty();
  }

  @Test
  void all_faults_are_reported() {
    assertThat(new FleetSchema(Map.of("west", 3, "moon", 1)).faults(NODES, "east"))
        .containsExactly(
            "east must have copies: its proxies read and write at LOCAL_QUORUM there",
            "moon is not a data centre of the cluster",
            "west has 2 nodes and cannot have 3 copies");
    assertThat(of("east", 0).faults(NODES, "east")).hasSize(1);
    assertThat(of("east", -1).faults(NODES, "east")).hasSize(1);
    assertThat(of("east", 3).faults(NODES, "east")).isEmpty();
  }

  @Test
  void the_same_replication_needs_no_change() {
    assertThat(
            of("east", 3)
                .change(
                    Map.of(
                        "class", "org.apache.cassandra.locator.NetworkTopologyStrategy",
                        "east", "3")))
        .isNull();
  }

  @Test
  void another_replication_needs_a_change() {
    String change =
        "ALTER KEYSPACE sluice WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'east': 3}";
    String strategy = "org.apache.cassandra.locator.NetworkTopologyStrategy";

    assertThat(of("east", 3).change(Map.of("class", strategy, "east", "2"))).isEqualTo(change);
    assertThat(of("east", 3).change(Map.of("class", strategy, "east", "3", "west", "1")))
        .isEqualTo(change);
    assertThat(of("east", 3).change(Map.of("class", "SimpleStrategy", "replication_factor", "3")))
        .isEqualTo(change);
  }
}
