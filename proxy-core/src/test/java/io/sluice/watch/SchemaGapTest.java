package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionSignature;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultColumnMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultFunctionMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import com.datastax.oss.driver.internal.core.type.UserDefinedTypeBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The schema changes that happened while the control connection was moving. */
class SchemaGapTest {

  private static final Map<String, String> ONE = Map.of("replication_factor", "1");
  private static final Map<CqlIdentifier, KeyspaceMetadata> EMPTY = Map.of();

  private static CqlIdentifier id(String name) {
    return CqlIdentifier.fromInternal(name);
  }

  private static Map<CqlIdentifier, KeyspaceMetadata> schema(KeyspaceMetadata... keyspaces) {
    Map<CqlIdentifier, KeyspaceMetadata> schema = new LinkedHashMap<>();
    for (KeyspaceMetadata each : keyspaces) {
      schema.put(each.getName(), each);
    }
    return schema;
  }

  private static KeyspaceMetadata keyspace(
      String name, Map<String, String> replication, TableMetadata... tables) {
    Map<CqlIdentifier, TableMetadata> byName = new LinkedHashMap<>();
    for (TableMetadata each : tables) {
      byName.put(each.getName(), each);
    }
    return new DefaultKeyspaceMetadata(
        id(name), true, false, replication, Map.of(), byName, Map.of(), Map.of(), Map.of());
  }

  /** Returns a keyspace with one object of each kind. */
  private static KeyspaceMetadata full(String name) {
    UserDefinedType type =
        new UserDefinedTypeBuilder(id(name), id("u")).withField(id("f"), DataTypes.INT).build();
    FunctionSignature signature = new FunctionSignature(id("fun"), DataTypes.INT, DataTypes.TEXT);
    FunctionMetadata function =
        new DefaultFunctionMetadata(
            id(name), signature, List.of(id("a"), id("b")), "", false, "java", DataTypes.INT);
    return new DefaultKeyspaceMetadata(
        id(name),
        true,
        false,
        ONE,
        Map.of(id("u"), type),
        Map.of(id("t"), table("t", 1)),
        Map.of(),
        Map.of(signature, function),
        Map.of());
  }

  private static TableMetadata table(String name, int version) {
    ColumnMetadata key =
        new DefaultColumnMetadata(id("ks"), id(name), id("k"), DataTypes.INT, false);
    return new DefaultTableMetadata(
        id("ks"),
        id(name),
        new UUID(0, version),
        false,
        false,
        List.of(key),
        Map.of(),
        Map.of(id("k"), key),
        Map.of(),
        Map.of());
  }

  private static List<String> told(
      Map<CqlIdentifier, KeyspaceMetadata> before, Map<CqlIdentifier, KeyspaceMetadata> after) {
    SchemaGap gap = new SchemaGap("first", before);
    gap.read("second", after);
    return gap.close().stream()
        .map(
            each ->
                each.type()
                    + " "
                    + each.target()
                    + " "
                    + each.keyspace()
                    + (each.name() == null ? "" : "." + each.name())
                    + (each.arguments().isEmpty() ? "" : each.arguments()))
        .toList();
  }

  @Test
  void a_keyspace_is_created_before_what_it_contains() {
    assertThat(told(EMPTY, schema(full("ks"))))
        .containsExactly(
            "CREATED KEYSPACE ks",
            "CREATED TYPE ks.u",
            "CREATED TABLE ks.t",
            "CREATED FUNCTION ks.fun[int, text]");
  }

  @Test
  void a_keyspace_is_dropped_after_what_it_contains() {
    assertThat(told(schema(full("ks")), EMPTY))
        .containsExactly(
            "DROPPED FUNCTION ks.fun[int, text]",
            "DROPPED TABLE ks.t",
            "DROPPED TYPE ks.u",
            "DROPPED KEYSPACE ks");
  }

  @Test
  void only_differences_are_reported() {
    assertThat(
            told(
                schema(keyspace("a", ONE, table("t", 1), table("u", 1), table("w", 1))),
                schema(keyspace("a", ONE, table("t", 2), table("v", 1), table("w", 1)))))
        .containsExactly("DROPPED TABLE a.u", "UPDATED TABLE a.t", "CREATED TABLE a.v");
    assertThat(told(schema(keyspace("a", ONE)), schema(keyspace("a", Map.of("x", "y")))))
        .containsExactly("UPDATED KEYSPACE a");
  }

  @Test
  void changes_during_one_connection_are_left_to_its_events() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    gap.read("first", schema(full("ks")));
    assertThat(gap.isOpen("first")).isFalse();
    assertThat(gap.close()).isEmpty();
    gap.read("second", schema(full("ks")));
    assertThat(gap.isOpen("second")).isTrue();
    assertThat(gap.close()).as("nothing happened meanwhile").isEmpty();
    assertThat(gap.isOpen("second")).isFalse();
  }

  @Test
  void while_events_arrive_the_newest_schema_is_the_one_to_compare_with() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    gap.follow("first", schema(full("ks")));
    gap.follow("second", schema(full("lost")));
    gap.read("second", schema(full("ks"), keyspace("more", ONE)));
    assertThat(gap.close())
        .extracting(each -> each.type() + " " + each.keyspace())
        .containsExactly("CREATED more");
  }

  @Test
  void a_change_is_reported_once() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    gap.read("second", schema(full("ks")));
    assertThat(gap.close()).hasSize(4);
    assertThat(gap.close()).isEmpty();
  }

  @Test
  void the_gap_stays_open_until_the_schema_was_read_over_the_new_connection() {
    SchemaGap gap = new SchemaGap("first", EMPTY);
    assertThat(gap.close()).isEmpty();
    assertThat(gap.isOpen("second")).isTrue();
  }
}
