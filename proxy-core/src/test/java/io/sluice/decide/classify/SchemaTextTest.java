package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the schema that is read from the output of cqlsh. */
class SchemaTextTest {

  private static Table table(String cql) {
    SchemaText schema = SchemaText.read(cql);
    assertThat(schema.tables()).hasSize(1);
    return schema.tables().values().iterator().next();
  }

  @Test
  void a_table_has_keys_types_and_options() {
    Table table =
        table(
            """
            CREATE TABLE shop.orders (
                customer uuid,
                day date,
                "At" timestamp,
                total decimal,
                tags MAP<varchar,frozen<list<int>>>,
                name text static,
                PRIMARY KEY ((customer, day), "At")
            ) WITH CLUSTERING ORDER BY ("At" DESC)
                AND comment = 'a ; b'
                AND compaction = {'class': 'UnifiedCompactionStrategy', 'x': '4'};
            """);
    assertThat(table.keyspace()).isEqualTo("shop");
    assertThat(table.name()).isEqualTo("orders");
    assertThat(table.partitionKey())
        .isEqualTo(List.of(new KeyColumn("customer", "uuid"), new KeyColumn("day", "date")));
    assertThat(table.clustering()).isEqualTo(List.of(new KeyColumn("At", "timestamp")));
    assertThat(table.types())
        .containsEntry("tags", "map<text, frozen<list<int>>>")
        .containsEntry("name", "text")
        .hasSize(6);
    assertThat(table.compact()).isFalse();
    assertThat(table.masked()).isFalse();
  }

  @Test
  void indexes_name_their_columns() {
    Table table =
        table(
            """
            CREATE TABLE ks.t (k int PRIMARY KEY, v int, "W x" int, m map<text, int>, n int, o int);
            CREATE INDEX ON ks.t (v);
            CREATE INDEX IF NOT EXISTS named ON ks.t ("W x");
            USE ks;
            CREATE CUSTOM INDEX entries ON t (entries(m)) USING 'sai' WITH OPTIONS = {'o': 'n'};
            CREATE INDEX ON ks.other (n);
            """);
    assertThat(table.indexed()).contains("v", "W x", "m").doesNotContain("n", "o");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE ks.t (k int PRIMARY KEY)|[k]|[]",
        "create table if not exists ks.t (k int, c int, primary key (k, c));|[k]|[c]",
        "CREATE COLUMNFAMILY ks.t (a int, b int, c int, PRIMARY KEY ((a, b), c))|[a, b]|[c]",
        "CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY ((k), c));|[k]|[c]",
        "USE ks; CREATE TABLE t (k vector<float, 3> PRIMARY KEY);|[k]|[]"
      })
  void primary_keys_are_written_in_many_ways(String cql, String partition, String clustering) {
    Table table = table(cql);
    assertThat(table.partitionKey().stream().map(KeyColumn::name).toList()).hasToString(partition);
    assertThat(table.clustering().stream().map(KeyColumn::name).toList()).hasToString(clustering);
    assertThat(table.keyspace()).isEqualTo("ks");
  }

  @Test
  void masked_columns_and_compact_storage_are_recognized() {
    assertThat(
            table(
                    "CREATE TABLE ks.t (k int PRIMARY KEY, v text MASKED WITH mask_inner(1, 2), w int)")
                .masked())
        .isTrue();
    assertThat(table("CREATE TABLE ks.t (k int MASKED WITH DEFAULT PRIMARY KEY)").masked())
        .isTrue();
    assertThat(table("CREATE TABLE ks.t (k int PRIMARY KEY) WITH COMPACT STORAGE;").compact())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'class': 'SimpleStrategy', 'replication_factor': '3'}|3",
        "{'class': 'SimpleStrategy', 'replication_factor': 2}|2",
        "{'class': 'NetworkTopologyStrategy', 'dc1': '3', 'dc2': '5'}|5",
        "{'class': 'NetworkTopologyStrategy', 'dc1': '3/1'}|3",
        "{'class': 'LocalStrategy'}|0",
        "{'class': '7'}|0"
      })
  void a_keyspace_has_replicas(String replication, int replicas) {
    SchemaText schema =
        SchemaText.read("CREATE KEYSPACE ks WITH replication = " + replication + ";\n");
    assertThat(schema.replicas()).isEqualTo(Map.of("ks", replicas));
  }

  @Test
  void statements_other_than_tables_and_keyspaces_are_skipped() {
    SchemaText schema =
        SchemaText.read(
            """
            -- made by hand
            /* CREATE TABLE ks.no (k int PRIMARY KEY); */
            CREATE TYPE ks.address (street text, zip int);
            CREATE FUNCTION ks.f (v int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java
              AS $$ return v; $$;
            CREATE TABLE ks.t (k int PRIMARY KEY, home frozen<address>, other ks.address);
            CREATE INDEX t_home ON ks.t (home);
            CREATE MATERIALIZED VIEW ks.v AS SELECT * FROM ks.t WHERE k IS NOT NULL PRIMARY KEY (k);
            GRANT SELECT ON ks.t TO r;
            -- the end""");
    assertThat(schema.tables().values()).extracting(Table::name).containsExactly("t");
    assertThat(Objects.requireNonNull(schema.table("ks", "t")).types())
        .containsEntry("home", "frozen<address>");
    assertThat(schema.table("ks", "v")).isNull();
  }

  @Test
  void an_empty_schema_has_nothing() {
    assertThat(SchemaText.read("").tables()).isEmpty();
    assertThat(SchemaText.read(" ;; ").tables()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n\nCREATE TABLE t (k int PRIMARY KEY);",
        "\n\nCREATE TABLE ks.t (k int);",
        "\n\nCREATE TABLE ks.t (PRIMARY KEY (k));",
        "\n\nCREATE TABLE ks.t (k PRIMARY KEY);",
        "\n\nCREATE TABLE ks.t (k int PRIMARY KEY;",
        "\n\nCREATE TABLE ks.t k int",
        "\n\nCREATE TABLE ks.t (k int MASKED WITH (;",
        "\n\nSELECT 'open;",
        "\n\nUSE ;"
      })
  void a_syntax_error_is_reported_with_its_line(String cql) {
    assertThatThrownBy(() -> SchemaText.read(cql))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line 3: ");
  }

  /** A schema of ten thousand tables. */
  @Test
  void a_large_schema_is_read() {
    StringBuilder cql = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      cql.append("CREATE TABLE ks.t").append(i).append(" (k int PRIMARY KEY, a text, b text);\n");
    }
    assertThat(SchemaText.read(cql.toString()).tables()).hasSize(10_000);
  }
}
