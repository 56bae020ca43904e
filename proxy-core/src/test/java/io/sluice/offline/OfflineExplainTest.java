package io.sluice.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.SchemaText;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests EXPLAIN of a schema, without a cluster. */
class OfflineExplainTest {

  private static final SchemaText SCHEMA =
      SchemaText.read(
          """
          CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '2'};
          CREATE TABLE shop.orders (
            customer int, day int, total int, PRIMARY KEY ((customer), day));
          CREATE KEYSPACE plain WITH replication = {'class': 'LocalStrategy'};
          CREATE TABLE plain.t (k int PRIMARY KEY);
          """);

  private static OfflineExplain.Size size(int nodes, int replicas, long rows) {
    return new OfflineExplain.Size(nodes, replicas, 16, rows, Map.of(), 100);
  }

  private static OfflineExplain.Answer explain(OfflineExplain.Size size, String cql) {
    return OfflineExplain.explain(size, SCHEMA, "shop", cql, 5_000);
  }

  private static List<String> row(OfflineExplain.Answer answer, String step) {
    return answer.rows().stream().filter(row -> row.get(0).equals(step)).findFirst().orElseThrow();
  }

  @Test
  void a_scan_is_split_into_pieces_at_modelled_nodes() {
    OfflineExplain.Answer answer =
        explain(size(3, 0, 1_000_000), "SELECT customer, day, total FROM shop.orders");

    assertThat(answer.columns()).first().isEqualTo("step");
    assertThat(answer.rows().get(0).get(0)).isEqualTo("split");
    assertThat(answer.rows().get(0).get(5)).startsWith("up to 5000 rows; ");
    List<String> piece = row(answer, "piece 1");
    assertThat(piece.get(1)).matches("node[123]:9042, node[123]:9042");
    assertThat(piece.get(3)).startsWith("about ");
    assertThat(row(answer, "estimates").get(3)).isEqualTo("about 1000000");
    assertThat(row(answer, "admission").get(5)).isEqualTo("would be let in, and start at once");
    assertThat(row(answer, "class").get(5)).startsWith("range: ");
  }

  @Test
  void a_point_read_names_the_replicas_of_its_key() {
    OfflineExplain.Answer first =
        explain(size(5, 0, 10), "SELECT * FROM orders WHERE customer = 7 AND day = 1");
    assertThat(first.rows().get(0).get(1).split(", ")).hasSize(2);
    OfflineExplain.Answer second =
        explain(size(5, 3, 10), "SELECT * FROM orders WHERE customer = 7");
    assertThat(second.rows().get(0).get(1)).startsWith(first.rows().get(0).get(1));
    assertThat(second.rows().get(0).get(1).split(", ")).hasSize(3);
  }

  @Test
  void the_answer_names_its_assumptions() {
    OfflineExplain.Answer answer =
        OfflineExplain.explain(
            new OfflineExplain.Size(6, 0, 8, 5, Map.of("shop.orders", 1_234_567L), 321),
            SCHEMA,
            null,
            "SELECT * FROM shop.orders",
            0);
    assertThat(String.join("\n", answer.assumed()))
        .contains("6 idle nodes", "8 tokens", "read 32 at once")
        .contains("2 copies of each row", "1,234,567 partitions of one row in shop.orders")
        .contains("321 bytes", "no pages", "protocol 5", "defaults");
    assertThat(answer.json())
        .startsWith("{\"assumed\": {\"nodes\": 6, \"tokens\": 8, \"concurrent_reads\": 32,")
        .contains("\"replicas\": 2", "\"rows\": 1234567", "\"plan\": [{\"step\": \"split\"");
  }

  @ParameterizedTest
  @CsvSource({
    "3, 0, plain, 3",
    "2, 0, plain, 2",
    "9, 0, shop, 2",
    "9, 5, shop, 5",
    "1, 5, shop, 1"
  })
  void the_number_of_replicas_comes_from_the_option_the_schema_or_the_default(
      int nodes, int asked, String keyspace, int replicas) {
    assertThat(size(nodes, asked, 1).replicasOf(keyspace, SCHEMA)).isEqualTo(replicas);
  }

  @Test
  void the_same_numbers_give_the_same_plan() {
    OfflineExplain.Answer one = explain(size(7, 3, 50_000), "SELECT * FROM orders");
    assertThat(explain(size(7, 3, 50_000), "EXPLAIN SELECT * FROM orders")).isEqualTo(one);
    assertThat(explain(size(8, 3, 50_000), "SELECT * FROM orders")).isNotEqualTo(one);
  }

  @Test
  void each_range_has_as_many_distinct_owners_as_copies() {
    Ring ring = new ModelCluster(size(7, 3, 1), SCHEMA).view().ring();
    Ring.Replicas owners = Objects.requireNonNull(ring.owners("shop"));
    assertThat(owners.segments()).hasSizeGreaterThan(50);
    owners
        .segments()
        .forEach(range -> assertThat(Set.copyOf(owners.after(range.after()))).hasSize(3));
    assertThat(owners.of(new Token.Murmur3(0))).doesNotHaveDuplicates().hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO orders (customer, day) VALUES (1, 1)|is for SELECT",
        "EXPLAIN EXPLAIN SELECT * FROM orders|cannot be explained",
        "EXPLAIN ANALYZE SELECT * FROM orders|needs a cluster",
        "SELECT * FROM shop.nothing|no table shop.nothing",
        "SELECT * FROM system.local|no table system.local",
        "SELECT * FROM system_proxy.nodes|no table system_proxy.nodes",
        "SELECT|no SELECT that Sluice understands",
        "LIST ROLES|no SELECT that Sluice understands",
        "''|needs a SELECT"
      })
  void a_statement_that_cannot_be_explained_is_refused_with_a_message(String cql, String words) {
    assertThatThrownBy(() -> explain(size(3, 0, 1), cql))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  @Test
  void a_table_name_needs_a_keyspace() {
    assertThatThrownBy(
            () -> OfflineExplain.explain(size(1, 0, 1), SCHEMA, null, "SELECT * FROM orders", 0))
        .hasMessageContaining("keyspace of orders is not named");
  }

  @Test
  void markers_are_explained_as_unknown_values() {
    assertThat(
            explain(size(3, 0, 9), "SELECT * FROM orders WHERE token(customer) > ?")
                .rows()
                .get(0)
                .get(5))
        .contains("values in doubt");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000})
  void clusters_of_any_size_are_explained(int nodes) {
    OfflineExplain.Answer answer = explain(size(nodes, 3, 1_000_000_000), "SELECT * FROM orders");
    assertThat(answer.rows().get(0).get(0)).isEqualTo("split");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 1, 1, 1",
    "1001, 0, 1, 1, 1",
    "1, -1, 1, 1, 1",
    "1, 0, 0, 1, 1",
    "1, 0, 1, -1, 1",
    "1, 0, 1, 1, 0"
  })
  void invalid_cluster_sizes_are_refused(
      int nodes, int replicas, int tokens, long rows, long bytes) {
    assertThatThrownBy(
            () -> new OfflineExplain.Size(nodes, replicas, tokens, rows, Map.of(), bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be from");
  }
}
