package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.OwnStatement.Describe;
import io.sluice.decide.classify.OwnStatement.DescribeAll;
import io.sluice.decide.classify.OwnStatement.Described;
import io.sluice.execute.table.SmallTable;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the rows and the descriptions of the proxy's own tables. */
class OwnSchemaTest {

  private static final TableShape<String> QUEUES =
      TableShape.<String>named("queues", "reads that wait")
          .partition("node", ColumnType.VARCHAR, fact -> fact)
          .clustering("class", ColumnType.INT, fact -> 1)
          .clustering("at", ColumnType.TIMESTAMP, fact -> null)
          .column("queued", ColumnType.BIGINT, fact -> 2L);

  private static final TableShape<String> NODES =
      TableShape.<String>named("nodes", "the cluster's nodes")
          .partition("node", ColumnType.VARCHAR, fact -> fact)
          .column("up", ColumnType.BOOLEAN, fact -> true);

  private static final TableShape<String> PAIRS =
      TableShape.<String>named("pairs", "x")
          .partition("a", ColumnType.INET, fact -> null)
          .partition("b", ColumnType.UUID, fact -> null);

  private final OwnSchema schema = new OwnSchema(List.of(QUEUES, NODES, PAIRS));
  private final OwnDescription description = new OwnDescription(List.of(QUEUES, PAIRS, NODES));

  private static String json(RowSet rows) {
    return new SmallTable(rows, List.of()).json();
  }

  @Test
  void the_keyspace_has_one_row() {
    assertThat(json(schema.rows("keyspaces"))).isEqualTo("[{\"keyspace_name\":\"system_proxy\"}]");
  }

  @Test
  void each_table_has_a_row_with_its_comment() {
    assertThat(json(schema.rows("tables")))
        .isEqualTo(
            "[{\"keyspace_name\":\"system_proxy\",\"table_name\":\"queues\","
                + "\"comment\":\"reads that wait\"},"
                + "{\"keyspace_name\":\"system_proxy\",\"table_name\":\"nodes\","
                + "\"comment\":\"the cluster's nodes\"},"
                + "{\"keyspace_name\":\"system_proxy\",\"table_name\":\"pairs\","
                + "\"comment\":\"x\"}]");
  }

  private static String column(
      String table, String name, String order, String hex, String kind, int position, String type) {
    return ("{'keyspace_name':'system_proxy','table_name':'%s','column_name':'%s',"
            + "'clustering_order':'%s','column_name_bytes':'0x%s','kind':'%s','position':%d,"
            + "'type':'%s'}")
        .formatted(table, name, order, hex, kind, position, type)
        .replace('\'', '"');
  }

  /** Drivers build a table's definition from these rows. */
  @Test
  void each_column_has_a_row_with_its_kind_and_its_place_among_those_of_its_kind() {
    assertThat(json(schema.rows("columns")))
        .isEqualTo(
            String.join(
                ",",
                "[" + column("queues", "node", "none", "6e6f6465", "partition_key", 0, "text"),
                column("queues", "class", "asc", "636c617373", "clustering", 0, "int"),
                column("queues", "at", "asc", "6174", "clustering", 1, "timestamp"),
                column("queues", "queued", "none", "717565756564", "regular", -1, "bigint"),
                column("nodes", "node", "none", "6e6f6465", "partition_key", 0, "text"),
                column("nodes", "up", "none", "7570", "regular", -1, "boolean"),
                column("pairs", "a", "none", "61", "partition_key", 0, "inet"),
                column("pairs", "b", "none", "62", "partition_key", 1, "uuid") + "]"));
  }

  @Test
  void the_columns_have_the_types_of_cassandras_own_tables() {
    assertThat(schema.rows("columns").columns())
        .extracting(each -> each.keyspace() + "." + each.table() + "." + each.name())
        .contains("system_virtual_schema.columns.position");
    assertThat(schema.rows("columns").columns())
        .extracting(each -> each.type().cqlName())
        .containsExactly("text", "text", "text", "text", "blob", "text", "int", "text");
  }

  @Test
  void a_table_of_another_name_is_a_fault_of_the_caller() {
    assertThatThrownBy(() -> schema.rows("views")).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "keyspaces | keyspace_name",
        "tables    | keyspace_name,table_name",
        "columns   | keyspace_name,table_name,column_name",
        "views     | ''",
      })
  void the_rows_are_sorted_by_the_keys_of_cassandras_own_tables(String table, String key) {
    assertThat(String.join(",", OwnSchema.key(table))).isEqualTo(key);
  }

  private List<String> described(Described what, @Nullable String name) {
    RowSet rows = description.rows(new Describe(what, name));
    int text = rows.indexOf("create_statement");
    int names = rows.indexOf("name");
    return rows.rows().stream()
        .map(row -> ConsoleTexts.text(row.get(text < 0 ? names : text)))
        .toList();
  }

  @Test
  void a_table_with_a_key_of_several_columns_is_described_with_its_order() {
    assertThat(described(Described.TABLE, "queues"))
        .containsExactly(
            """
            /*
            Warning: Table system_proxy.queues is a virtual table and cannot be recreated with CQL.
            Structure, for reference:
            VIRTUAL TABLE system_proxy.queues (
                node text,
                class int,
                at timestamp,
                queued bigint,
                PRIMARY KEY (node, class, at)
            ) WITH CLUSTERING ORDER BY (class ASC, at ASC)
                AND comment = 'reads that wait';
            */""");
  }

  @Test
  void a_table_with_a_key_of_one_column_is_described_with_the_key_beside_it() {
    assertThat(described(Described.ELEMENT, "nodes"))
        .containsExactly(
            """
            /*
            Warning: Table system_proxy.nodes is a virtual table and cannot be recreated with CQL.
            Structure, for reference:
            VIRTUAL TABLE system_proxy.nodes (
                node text PRIMARY KEY,
                up boolean
            ) WITH comment = 'the cluster''s nodes';
            */""");
  }

  @Test
  void a_partition_key_of_several_columns_is_in_brackets() {
    assertThat(described(Described.TABLE, "pairs"))
        .singleElement()
        .asString()
        .contains("    PRIMARY KEY ((a, b))\n) WITH comment = 'x';");
  }

  @Test
  void the_keyspace_is_described_before_its_tables_which_are_sorted() {
    List<String> all = described(Described.KEYSPACE, null);
    assertThat(all).hasSize(4).first().asString().contains("VIRTUAL KEYSPACE system_proxy;");
    assertThat(all.get(1)).contains("VIRTUAL TABLE system_proxy.nodes (");
    assertThat(all.get(2)).contains("VIRTUAL TABLE system_proxy.pairs (");
    assertThat(all.get(3)).contains("VIRTUAL TABLE system_proxy.queues (");
    assertThat(described(Described.KEYSPACE_ONLY, null)).containsExactly(all.get(0));
  }

  @Test
  void the_names_of_tables_are_listed_and_there_are_no_other_objects() {
    assertThat(described(Described.TABLES, null)).containsExactly("nodes", "pairs", "queues");
    assertThat(described(Described.OTHERS, null)).isEmpty();
    assertThat(described(Described.TABLE, "views")).isEmpty();
    assertThat(description.has("nodes")).isTrue();
    assertThat(description.has("views")).isFalse();
    assertThat(description.has(null)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void the_lists_of_a_whole_cluster_have_the_proxys_keyspace_and_tables(DescribeAll all) {
    assertThat(json(description.rows(all)))
        .isEqualTo(
            all == DescribeAll.KEYSPACES
                ? "[{\"keyspace_name\":\"system_proxy\",\"type\":\"keyspace\","
                    + "\"name\":\"system_proxy\"}]"
                : "[{\"keyspace_name\":\"system_proxy\",\"type\":\"table\",\"name\":\"nodes\"},"
                    + "{\"keyspace_name\":\"system_proxy\",\"type\":\"table\",\"name\":\"pairs\"},"
                    + "{\"keyspace_name\":\"system_proxy\",\"type\":\"table\","
                    + "\"name\":\"queues\"}]");
  }
}
