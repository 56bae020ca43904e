package io.sluice.offline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.SchemaText;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the ring and the estimates that a few numbers make. */
class ModelClusterTest {

  private static final SchemaText SCHEMA =
      SchemaText.read(
          """
          CREATE KEYSPACE two WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '2'};
          CREATE TABLE two.a (k int PRIMARY KEY);
          CREATE TABLE two.b (k int PRIMARY KEY);
          CREATE KEYSPACE plain WITH replication = {'class': 'LocalStrategy'};
          CREATE TABLE plain.t (k int PRIMARY KEY);
          """);

  private static ModelCluster cluster(int nodes, int replicas, int tokens) {
    return new ModelCluster(
        new OfflineExplain.Size(nodes, replicas, tokens, 1_000, Map.of("two.b", 7L), 50), SCHEMA);
  }

  @Test
  void all_nodes_are_of_one_data_centre_and_have_numbers() {
    Ring ring = cluster(3, 0, 4).view().ring();
    assertThat(ring.local()).hasSize(3);
    assertThat(ring.datacenters()).containsExactly("dc1");
    assertThat(ring.local())
        .extracting(node -> node.address().getHostString() + ":" + node.address().getPort())
        .containsExactlyInAnyOrder("node1:9042", "node2:9042", "node3:9042");
  }

  /** Neighbouring tokens of one node make one range. */
  @ParameterizedTest
  @CsvSource({"3, 16", "7, 256", "100, 1"})
  void tokens_are_spread_over_the_ring(int nodes, int tokens) {
    Ring.Replicas owners =
        Objects.requireNonNull(cluster(nodes, 1, tokens).view().ring().owners("two"));
    assertThat(owners.segments()).hasSizeBetween(nodes * tokens / 2, nodes * tokens + 1);
    Map<NodeId, Double> shares = new HashMap<>();
    for (TokenRange range : owners.segments()) {
      shares.merge(
          owners.after(range.after()).get(0),
          range.share(new Token.Murmur3(Long.MIN_VALUE)),
          Double::sum);
    }
    assertThat(shares).hasSize(nodes);
    assertThat(shares.values().stream().mapToDouble(share -> share).sum()).isBetween(0.999, 1.001);
    if (tokens > 100) {
      assertThat(shares.values()).allMatch(share -> share > 0.5 / nodes && share < 2.0 / nodes);
    }
  }

  @Test
  void the_replicas_follow_each_other_around_the_ring() {
    Ring.Replicas one = Objects.requireNonNull(cluster(5, 1, 8).view().ring().owners("two"));
    Ring.Replicas three = Objects.requireNonNull(cluster(5, 3, 8).view().ring().owners("two"));
    for (TokenRange range : one.segments()) {
      assertThat(three.after(range.after()))
          .hasSize(3)
          .doesNotHaveDuplicates()
          .startsWith(one.after(range.after()).get(0));
    }
  }

  @Test
  void keyspaces_have_their_own_number_of_copies() {
    Ring ring = cluster(5, 0, 8).view().ring();
    assertThat(Objects.requireNonNull(ring.owners("two")).after(null)).hasSize(2);
    assertThat(Objects.requireNonNull(ring.owners("plain")).after(null)).hasSize(3);
    assertThat(ring.owners("other")).isNull();
  }

  @Test
  void each_table_has_the_partitions_that_are_said_of_it() {
    var tables = cluster(3, 0, 4).estimates().tables();
    assertThat(tables).hasSize(3);
    assertThat(tables.get(new TableName("two", "a")).get(0).partitions()).isEqualTo(1_000);
    assertThat(tables.get(new TableName("two", "b")).get(0).partitions()).isEqualTo(7);
    assertThat(tables.get(new TableName("two", "b")).get(0).range()).isEqualTo(TokenRange.ALL);
  }

  @Test
  void the_cluster_always_agrees_and_is_named_a_model() {
    ModelCluster cluster = cluster(1, 1, 1);
    assertThat(cluster.agreement().toCompletableFuture()).isCompletedWithValue(true);
    assertThat(cluster.clusterName()).isEqualTo("model");
    assertThat(cluster.cqlVersion()).isNotEmpty();
    cluster.estimatesWanted("two", "a");
    assertThat(cluster.view().catalog().table("two", "a")).isNotNull();
  }
}
