package io.sluice.console;

import io.sluice.decide.classify.Classified;
import io.sluice.execute.table.SmallTable;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schema of {@code system_proxy}: its rows in {@code system_virtual_schema}, and as DESCRIBE
 * shows it. Pure.
 */
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

  /**
   * The rows of a DESCRIBE.
   *
   * @param name a table; null for the keyspace and all its tables
   * @return no rows when there is no such table
   */
  RowSet describe(@Nullable String name) {
    List<List<@Nullable Object>> rows =
        tables.stream()
            .filter(table -> name == null || table.name().equals(name))
            .map(table -> List.<@Nullable Object>of(KEYSPACE, "table", table.name(), cql(table)))
            .collect(Collectors.toList());
    if (name == null) {
      rows.add(0, List.of(KEYSPACE, "keyspace", KEYSPACE, keyspaceCql()));
    }
    List<RowSet.Column> columns =
        List.of("keyspace_name", "type", "name", "create_statement").stream()
            .map(each -> new RowSet.Column("system", "describe", each, ColumnType.VARCHAR))
            .toList();
    return SmallTable.of(columns, List.of(), rows).rows();
  }

  private static String keyspaceCql() {
    return """
        /*
        Warning: Keyspace %s is a virtual keyspace of Sluice and cannot be recreated with CQL.
        Structure, for reference:
        VIRTUAL KEYSPACE %s;
        */"""
        .formatted(KEYSPACE, KEYSPACE);
  }

  private static String cql(TableShape<?> table) {
    String columns =
        table.columns().stream()
            .map(column -> "    " + column.name() + " " + column.type().cqlName() + ",\n")
            .collect(Collectors.joining());
    String clustering =
        table.columns().stream()
            .filter(column -> column.kind() == TableShape.Kind.CLUSTERING)
            .map(column -> column.name() + " ASC")
            .collect(Collectors.joining(", "));
    return """
        /*
        Warning: Table %s.%s is a virtual table of Sluice and cannot be recreated with CQL.
        Structure, for reference:
        VIRTUAL TABLE %s.%s (
        %s    PRIMARY KEY (%s)
        ) WITH %scomment = '%s';
        */"""
        .formatted(
            KEYSPACE,
            table.name(),
            KEYSPACE,
            table.name(),
            columns,
            key(table),
            clustering.isEmpty() ? "" : "CLUSTERING ORDER BY (" + clustering + ")\n    AND ",
            table.comment());
  }

  private static String key(TableShape<?> table) {
    return table.columns().stream()
        .filter(TableShape.Column::isKey)
        .map(TableShape.Column::name)
        .collect(Collectors.joining(", "));
  }
}
