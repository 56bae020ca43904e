package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.statement.TestStatements;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests to which statements about the nodes' virtual schema the proxy adds its own rows. */
class AddedRowsTest {

  private static boolean addsTo(String cql) {
    return Console.addsTo(TestStatements.of(cql).classified());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE KEYSPACES",
        "DESCRIBE TABLES",
        "SELECT * FROM system_virtual_schema.keyspaces",
        "SELECT * FROM system_virtual_schema.tables",
        "SELECT * FROM system_virtual_schema.columns LIMIT 10",
        "SELECT count(*) FROM system_virtual_schema.tables",
        "SELECT table_name, comment FROM system_virtual_schema.tables",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name = 'a'",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name = ?",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name IN ('a', 'b')",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name IN ?",
        "SELECT * FROM system_virtual_schema.tables WHERE table_name = 'x' AND keyspace_name = 'a'",
        "SELECT * FROM system_virtual_schema.columns WHERE keyspace_name = 'a' AND table_name = 'x'"
            + " AND column_name = 'c'",
      })
  void a_select_that_the_proxy_can_evaluate_has_its_rows_too(String cql) {
    assertThat(addsTo(cql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DESCRIBE KEYSPACE ks",
        "SELECT * FROM ks.tables",
        "SELECT * FROM system_schema.tables",
        "SELECT * FROM system_virtual_schema.indexes",
        "SELECT max(table_name) FROM system_virtual_schema.tables",
        "SELECT DISTINCT keyspace_name FROM system_virtual_schema.tables",
        "SELECT * FROM system_virtual_schema.tables PER PARTITION LIMIT 1",
        "SELECT * FROM system_virtual_schema.tables GROUP BY keyspace_name",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name = 'a'"
            + " ORDER BY table_name DESC",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name > 'a' ALLOW FILTERING",
        "SELECT * FROM system_virtual_schema.tables WHERE token(keyspace_name) = 1",
        "SELECT * FROM system_virtual_schema.tables WHERE table_name = 'x' ALLOW FILTERING",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name = 'a' AND comment = 'x'"
            + " ALLOW FILTERING",
        "SELECT * FROM system_virtual_schema.keyspaces WHERE keyspace_name = 'a'"
            + " AND table_name = 'x'",
        "TRUNCATE system_virtual_schema.tables",
      })
  void any_other_statement_is_left_to_the_nodes(String cql) {
    assertThat(addsTo(cql)).isFalse();
  }
}
