package io.sluice.console;

import io.sluice.decide.classify.Classified;
import io.sluice.execute.table.SmallTable;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of {@code system_proxy} in {@code system_virtual_schema}. Pure. */
final class OwnSchema {

  private static final String KEYSPACE = Classified.PROXY_KEYSPACE;
  static final String VIRTUAL_SCHEMA = "system_virtual_schema";

  /** The tables of the virtual schema with their keys. */
  static final Map<String, List<String>> KEYS =
      Map.of(
          "keyspaces", List.of("keyspace_name"),
          "tables", List.of("keyspace_name", "table_name"),
          "columns", List.of("keyspace_name", "table_name", "column_name"));

  private final Collection<? extends TableShape<?>> tables;

  OwnSchema(Collection<? extends TableShape<?>> tables) {
    this.tables = tables;
  }

  /** The primary key of a table of the virtual schema. */
  static List<String> key(String table) {
    return KEYS.getOrDefault(table, List.of());
  }

  /** The rows that {@code system_virtual_schema} lacks. */
  RowSet rows(String table) {
    return switch (table) {
      case "keyspaces" ->
          rowSet(table, List.of("keyspace_name"), List.of(List.<@Nullable Object>of(KEYSPACE)));
      case "tables" ->
          rowSet(
              table,
              List.of("keyspace_name", "table_name", "comment"),
              tables.stream()
                  .map(each -> List.<@Nullable Object>of(KEYSPACE, each.name(), each.comment()))
                  .toList());
      case "columns" -> columns();
      default -> throw new IllegalArgumentException(table);
    };
  }

  private static RowSet rowSet(
      String table, List<String> names, List<List<@Nullable Object>> rows) {
    List<RowSet.Column> columns =
        names.stream()
            .map(name -> new RowSet.Column(VIRTUAL_SCHEMA, table, name, type(name)))
            .toList();
    return SmallTable.of(columns, List.of(), rows).rows();
  }

  private static ColumnType type(String column) {
    return switch (column) {
      case "position" -> ColumnType.INT;
      case "column_name_bytes" -> ColumnType.BLOB;
      default -> ColumnType.VARCHAR;
    };
  }

  private RowSet columns() {
    return rowSet(
        "columns",
        List.of(
            "keyspace_name",
            "table_name",
            "column_name",
            "clustering_order",
            "column_name_bytes",
            "kind",
            "position",
            "type"),
        tables.stream().flatMap(table -> columns(table).stream()).toList());
  }

  private static List<List<@Nullable Object>> columns(TableShape<?> table) {
    return table.columns().stream()
        .map(
            column ->
                List.<@Nullable Object>of(
                    KEYSPACE,
                    table.name(),
                    column.name(),
                    column.kind() == TableShape.Kind.CLUSTERING ? "asc" : "none",
                    column.name().getBytes(StandardCharsets.UTF_8),
                    kind(column),
                    position(table, column),
                    String.valueOf(column.type().cqlName())))
        .toList();
  }

  private static String kind(TableShape.Column<?> column) {
    return switch (column.kind()) {
      case PARTITION_KEY -> "partition_key";
      case CLUSTERING -> "clustering";
      case REGULAR -> "regular";
    };
  }

  /** The place in the key, from 0 for each of its two parts. */
  private static int position(TableShape<?> table, TableShape.Column<?> column) {
    return column.kind() == TableShape.Kind.REGULAR
        ? -1
        : table.columns().stream()
            .filter(each -> each.kind() == column.kind())
            .toList()
            .indexOf(column);
  }
}
