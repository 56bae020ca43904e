package io.sluice.watch;

import static io.sluice.watch.DriverMetadata.id;
import static io.sluice.watch.DriverMetadata.simple;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.FunctionSignature;
import com.datastax.oss.driver.api.core.metadata.schema.IndexKind;
import com.datastax.oss.driver.api.core.metadata.schema.IndexMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultAggregateMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultColumnMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultFunctionMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultIndexMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The reading of the driver's table definitions. */
class CatalogTest {
  private final DriverMetadata driver = new DriverMetadata();

  private static ColumnMetadata column(String name, DataType type) {
    return new DefaultColumnMetadata(id("Ks"), id("T"), id(name), type, false);
  }

  private static TableMetadata table(String name, boolean compact, List<ColumnMetadata> key) {
    return table(name, compact, key, Map.of());
  }

  private static TableMetadata table(
      String name,
      boolean compact,
      List<ColumnMetadata> key,
      Map<CqlIdentifier, IndexMetadata> indexes) {
    ColumnMetadata clustering = column("c", DataTypes.TIMEUUID);
    ColumnMetadata value = column("Value", DataTypes.frozenListOf(DataTypes.INT));
    Map<CqlIdentifier, ColumnMetadata> columns = new LinkedHashMap<>();
    key.forEach(each -> columns.put(each.getName(), each));
    columns.put(clustering.getName(), clustering);
    columns.put(value.getName(), value);
    return new DefaultTableMetadata(
        id("Ks"),
        id(name),
        new UUID(0, 0),
        compact,
        false,
        key,
        Map.of(clustering, ClusteringOrder.DESC),
        columns,
        Map.of(),
        indexes);
  }

  private static IndexMetadata index(String target) {
    return new DefaultIndexMetadata(
        id("Ks"), id("T"), id(target), IndexKind.COMPOSITES, target, Map.of("target", target));
  }

  @Test
  void a_table_knows_the_columns_of_its_indexes() {
    Map<CqlIdentifier, IndexMetadata> indexes = new LinkedHashMap<>();
    for (String target : List.of("c", "values(\"Value\")")) {
      indexes.put(id(target), index(target));
    }
    driver.keyspace(
        "Ks", simple(1), table("T", false, List.of(column("k", DataTypes.INT)), indexes));
    Table table = RingReader.catalog(driver.metadata(null), Set.of()).table("Ks", "T");
    assertThat(table).isNotNull();
    assertThat(table.indexed()).contains("c", "Value").doesNotContain("k");
  }

  @Test
  void tables_are_read_with_names_as_stored_and_types_as_cassandra_spells_them() {
    List<ColumnMetadata> key =
        List.of(column("Second", DataTypes.TEXT), column("first", DataTypes.INT));
    driver.keyspace("Ks", simple(1), table("T", false, key), table("old", true, key));
    Catalog catalog = RingReader.catalog(driver.metadata(null), Set.of(new TableName("Ks", "old")));
    Table table = catalog.table("Ks", "T");
    assertThat(table)
        .isEqualTo(
            new Table(
                "Ks",
                "T",
                List.of(new Table.KeyColumn("Second", "text"), new Table.KeyColumn("first", "int")),
                List.of(new Table.KeyColumn("c", "timeuuid")),
                Map.of(
                    "Second",
                    "text",
                    "first",
                    "int",
                    "c",
                    "timeuuid",
                    "Value",
                    "frozen<list<int>>"),
                false));
    assertThat(catalog.table("Ks", "old"))
        .isNotNull()
        .returns(true, Table::compact)
        .returns(true, Table::masked);
    assertThat(catalog.table("ks", "T")).isNull();
    assertThat(catalog.table("Ks", "t")).isNull();
  }

  @Test
  void a_table_has_the_names_of_the_functions_and_aggregates_of_its_keyspace() {
    TableMetadata table = table("T", false, List.of(column("k", DataTypes.INT)));
    FunctionSignature function = new FunctionSignature(id("Twice"), DataTypes.INT);
    FunctionSignature aggregate = new FunctionSignature(id("log"), DataTypes.INT);
    driver.keyspaces.put(
        id("Ks"),
        new DefaultKeyspaceMetadata(
            id("Ks"),
            true,
            false,
            simple(1),
            Map.of(),
            Map.of(id("T"), table),
            Map.of(),
            Map.of(
                function,
                new DefaultFunctionMetadata(
                    id("Ks"),
                    function,
                    List.of(id("v")),
                    "return v;",
                    false,
                    "java",
                    DataTypes.INT)),
            Map.of(
                aggregate,
                new DefaultAggregateMetadata(
                    id("Ks"),
                    aggregate,
                    null,
                    null,
                    DataTypes.INT,
                    function,
                    DataTypes.INT,
                    DriverMetadata.CONTEXT.getCodecRegistry().codecFor(DataTypes.INT)))));
    driver.keyspace("other", simple(1), table("T", false, List.of(column("k", DataTypes.INT))));
    Catalog catalog = RingReader.catalog(driver.metadata(null), Set.of());
    assertThat(catalog.table("Ks", "T")).returns(Set.of("Twice", "log"), Table::functions);
    assertThat(catalog.table("other", "T")).returns(Set.of(), Table::functions);
  }

  @Test
  void a_table_without_a_key_is_not_known() {
    driver.keyspace("Ks", simple(1), table("T", false, List.of()));
    assertThat(RingReader.catalog(driver.metadata(null), Set.of()).table("Ks", "T")).isNull();
  }
}
