package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.sluice.it.cluster.CassandraCluster;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schema and topology, and the driver's metadata of both. */
@CassandraCluster
class JavaDriverSchemaIT {

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void a_table_may_change_under_a_prepared_statement(String version) throws Exception {
    same(new Wire(version, "none"), SchemaScripts::underPrepared);
  }

  /**
   * With v4, a node omits the column metadata, and the driver reads all pages with the old columns.
   */
  @ParameterizedTest
  @ValueSource(strings = {"V3", "V5"})
  void a_table_may_change_between_two_pages(String version) throws Exception {
    same(new Wire(version, "none"), SchemaScripts::betweenPages);
  }

  @Test
  void a_session_that_listens_learns_of_every_schema_change() throws Exception {
    same(Wire.USUAL, SchemaScripts::events);
  }

  @Test
  void a_session_may_use_a_keyspace() throws Exception {
    same(Wire.USUAL, SchemaScripts::use);
  }

  @Test
  void a_session_may_change_a_schema_after_its_own_keyspace_was_dropped() throws Exception {
    same(Wire.USUAL, SchemaScripts::withoutKeyspace);
  }

  @Test
  void the_schema_a_driver_reads_is_the_clusters() throws Exception {
    same(Wire.USUAL, SchemaScripts::describe);
  }

  @Test
  void a_table_can_be_written_to_as_soon_as_it_is_created() {
    Stage.plain().needsProxy();
    Target target = Stage.plain().sluice();
    try (CqlSession session = JavaDriver.open(target, Wire.USUAL)) {
      Place place = new Place(session, target, target.keyspace("fresh"));
      SchemaScripts.keyspace(place);
      int failed = 0;
      for (int i = 0; i < 20; i++) {
        failed += SchemaScripts.createThenInsert(place, "t" + i) ? 0 : 1;
      }
      assertThat(failed).as("of 20 inserts right after CREATE TABLE").isZero();
    }
  }

  @Test
  void drivers_see_one_node_which_is_the_proxy() {
    Target target = Stage.plain().sluice();
    Stage.plain().needsProxy();
    UUID first;
    try (CqlSession session = JavaDriver.openWithSchema(target, Wire.USUAL)) {
      var nodes = session.getMetadata().getNodes().values();
      assertThat(nodes).hasSize(1);
      Node node = nodes.iterator().next();
      assertThat(node.getEndPoint().resolve()).isEqualTo(target.address());
      assertThat(node.getBroadcastRpcAddress()).contains(target.address());
      assertThat(node.getDatacenter()).isEqualTo("datacenter1");
      assertThat(node.getRack()).isEqualTo("rack1");
      assertThat(node.getCassandraVersion()).hasToString("5.0.9");
      assertThat(node.getSchemaVersion()).isNotNull();
      assertThat(session.getMetadata().getClusterName()).contains("sluice local");
      TokenMap tokens = session.getMetadata().getTokenMap().orElseThrow();
      assertThat(tokens.getPartitionerName()).endsWith("Murmur3Partitioner");
      assertThat(tokens.getTokenRanges(node)).isNotEmpty();
      first = node.getHostId();
    }
    try (CqlSession session = JavaDriver.open(target, new Wire("V4", "none"))) {
      Node node = session.getMetadata().getNodes().values().iterator().next();
      assertThat(node.getHostId()).as("stable").isEqualTo(first);
    }
  }

  private static void same(Wire wire, Place.Script script) throws Exception {
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (CqlSession session = JavaDriver.open(target, wire)) {
            String keyspace = target.keyspace("s" + wire.version().toLowerCase(Locale.ROOT));
            Place place = new Place(session, target, keyspace);
            SchemaScripts.keyspace(place);
            script.run(place, seen);
          }
        });
  }
}
