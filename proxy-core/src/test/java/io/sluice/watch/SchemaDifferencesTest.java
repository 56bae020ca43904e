package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.AggregateMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionSignature;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.ViewMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultAggregateMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultColumnMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultFunctionMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import com.datastax.oss.driver.internal.core.type.UserDefinedTypeBuilder;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the differences of two schemas as schema changes: which there are, and their order. */
class SchemaDifferencesTest {

  private static final Map<String, String> ONE = Map.of("replication_factor", "1");
  private static final Map<CqlIdentifier, KeyspaceMetadata> EMPTY = Map.of();
  private static final ViewMetadata VIEW = viewByIdentity();

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
    FunctionSignature signature =
        new FunctionSignature(id("fun"), DataTypes.INT, DataTypes.frozenListOf(DataTypes.TEXT));
    FunctionMetadata function =
        new DefaultFunctionMetadata(
            id(name), signature, List.of(id("a"), id("b")), "", false, "java", DataTypes.INT);
    FunctionSignature sum = new FunctionSignature(id("agg"), DataTypes.INT);
    AggregateMetadata aggregate =
        new DefaultAggregateMetadata(
            id(name),
            sum,
            null,
            null,
            DataTypes.INT,
            signature,
            DataTypes.INT,
            DriverMetadata.CONTEXT.getCodecRegistry().codecFor(DataTypes.INT));
    return new DefaultKeyspaceMetadata(
        id(name),
        true,
        false,
        ONE,
        Map.of(id("u"), type),
        Map.of(id("t"), table("t", 1)),
        Map.of(id("v"), VIEW),
        Map.of(signature, function),
        Map.of(sum, aggregate));
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

  /** Returns a view of which only the identity is read. */
  private static ViewMetadata viewByIdentity() {
    return (ViewMetadata)
        Proxy.newProxyInstance(
            ViewMetadata.class.getClassLoader(),
            new Class<?>[] {ViewMetadata.class},
            (view, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> view == arguments[0];
                  case "hashCode" -> 1;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static List<String> told(
      Map<CqlIdentifier, KeyspaceMetadata> before, Map<CqlIdentifier, KeyspaceMetadata> after) {
    return SchemaDifferences.between(before, after).stream()
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
            "CREATED TABLE ks.v",
            "CREATED FUNCTION ks.fun[int, list<text>]",
            "CREATED AGGREGATE ks.agg[int]");
  }

  @Test
  void a_keyspace_is_dropped_after_what_it_contains() {
    assertThat(told(schema(full("ks")), EMPTY))
        .containsExactly(
            "DROPPED AGGREGATE ks.agg[int]",
            "DROPPED FUNCTION ks.fun[int, list<text>]",
            "DROPPED TABLE ks.v",
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
  }

  @Test
  void a_keyspace_is_updated_by_other_replication_or_other_durable_writes() {
    KeyspaceMetadata volatileOne =
        new DefaultKeyspaceMetadata(
            id("a"), false, false, ONE, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
    for (KeyspaceMetadata after : List.of(keyspace("a", Map.of("x", "y")), volatileOne)) {
      assertThat(told(schema(keyspace("a", ONE)), schema(after)))
          .containsExactly("UPDATED KEYSPACE a");
    }
  }

  @Test
  void equal_schemas_have_no_difference() {
    assertThat(told(schema(full("a")), schema(full("a")))).isEmpty();
  }

  @Test
  void dropped_keyspaces_come_before_created_ones() {
    assertThat(told(schema(keyspace("a", ONE)), schema(keyspace("b", ONE))))
        .containsExactly("DROPPED KEYSPACE a", "CREATED KEYSPACE b");
  }
}
