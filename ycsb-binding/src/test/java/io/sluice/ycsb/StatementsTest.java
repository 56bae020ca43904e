package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The CQL of the binding. */
class StatementsTest {
  private final Statements cql = new Statements("ks", 2, false);
  private final Statements checked = new Statements("ks", 2, true);

  @Test
  void a_load_makes_its_keyspace_and_table_if_they_are_missing() {
    assertThat(cql.createKeyspace(3))
        .isEqualTo(
            "CREATE KEYSPACE IF NOT EXISTS ks WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    assertThat(cql.createTable("t"))
        .isEqualTo(
            "CREATE TABLE IF NOT EXISTS ks.t"
                + " (y_id varchar PRIMARY KEY, field0 varchar, field1 varchar)");
  }

  @Test
  void a_read_names_the_key_and_the_fields_in_their_order() {
    assertThat(cql.read("t", null)).isEqualTo("SELECT * FROM ks.t WHERE y_id = ?");
    assertThat(cql.read("t", Set.of("field1", "field0")))
        .isEqualTo("SELECT y_id, field0, field1 FROM ks.t WHERE y_id = ?");
  }

  @Test
  void a_write_of_some_fields_names_only_these() {
    assertThat(cql.write("t", List.of("field1")))
        .isEqualTo("INSERT INTO ks.t (y_id, field1) VALUES (?, ?)");
    assertThat(checked.write("t", List.of("field1")))
        .isEqualTo("INSERT INTO ks.t (y_id, field1, sluice_checksum) VALUES (?, ?, ?)");
  }

  /** Equal statements are prepared once. */
  @Test
  void the_order_in_which_fields_come_does_not_change_a_write() {
    assertThat(cql.write("t", List.of("field1", "field0")))
        .isEqualTo(cql.write("t", List.of("field0", "field1")));
  }

  @Test
  void a_delete_takes_the_row_of_one_key() {
    assertThat(cql.delete("t")).isEqualTo("DELETE FROM ks.t WHERE y_id = ?");
  }

  @ParameterizedTest
  @CsvSource({"TOKEN_LIMIT, 2", "TOKEN_RANGE, 3", "FULL_TABLE, 0", "COUNT, 0"})
  void a_scan_binds_what_its_mode_needs(ScanMode mode, int values) {
    assertThat(cql.scan("t", mode, null).chars().filter(c -> c == '?')).hasSize(values);
  }

  @Test
  void a_checked_scan_reads_whole_rows() {
    assertThat(checked.scan("t", ScanMode.FULL_TABLE, Set.of("field1")))
        .isEqualTo("SELECT * FROM ks.t");
  }

  @Test
  void fields_are_counted_from_zero() {
    assertThat(new Statements("ks", 3, false).allFields())
        .containsExactly("field0", "field1", "field2");
  }
}
