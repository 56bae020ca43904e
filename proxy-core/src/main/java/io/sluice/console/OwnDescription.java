package io.sluice.console;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.decide.classify.OwnStatement.DescribeAll;
import io.sluice.execute.table.SmallTable;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keyspace {@code system_proxy} and its tables as DESCRIBE shows them: the rows, columns and
 * texts that Cassandra returns for a virtual keyspace. Pure.
 */
final class OwnDescription {

  private static final String KEYSPACE = Classified.PROXY_KEYSPACE;
  private static final List<String> NAMES = List.of("keyspace_name", "type", "name");
  private static final List<String> TEXTS =
      List.of("keyspace_name", "type", "name", "create_statement");

  private final List<TableShape<?>> tables;

  OwnDescription(Collection<? extends TableShape<?>> tables) {
    List<TableShape<?>> sorted = new ArrayList<>(tables);
    sorted.sort(Comparator.comparing(TableShape::name));
    this.tables = List.copyOf(sorted);
  }

  /** Whether there is a table of this name. */
  boolean has(@Nullable String table) {
    return tables.stream().anyMatch(each -> each.name().equals(table));
  }

  /** Returns the rows that a node lacks. */
  RowSet rows(DescribeAll all) {
    return switch (all) {
      case KEYSPACES -> rowSet(NAMES, Stream.of(List.of(KEYSPACE, "keyspace", KEYSPACE)));
      case TABLES -> tableNames();
    };
  }

  /** Returns the rows of a DESCRIBE; none if there is no such table. */
  RowSet rows(OwnStatement.Describe asked) {
    return switch (asked.what()) {
      case KEYSPACE ->
          rowSet(TEXTS, Stream.concat(Stream.of(keyspace()), tables.stream().map(this::described)));
      case KEYSPACE_ONLY -> rowSet(TEXTS, Stream.of(keyspace()));
      case TABLES -> tableNames();
      case OTHERS -> rowSet(NAMES, Stream.of());
      case TABLE, ELEMENT ->
          rowSet(
              TEXTS,
              tables.stream()
                  .filter(table -> table.name().equals(asked.name()))
                  .map(this::described));
    };
  }

  private RowSet tableNames() {
    return rowSet(NAMES, tables.stream().map(table -> List.of(KEYSPACE, "table", table.name())));
  }

  private static RowSet rowSet(List<String> names, Stream<List<String>> rows) {
    List<RowSet.Column> columns =
        names.stream()
            .map(each -> new RowSet.Column("system", "describe", each, ColumnType.VARCHAR))
            .toList();
    List<List<@Nullable Object>> values =
        rows.map(row -> List.<@Nullable Object>copyOf(row)).toList();
    return SmallTable.of(columns, List.of(), values).rows();
  }

  private static List<String> keyspace() {
    String text =
        """
        /*
        Warning: Keyspace %s is a virtual keyspace and cannot be recreated with CQL.
        Structure, for reference:
        VIRTUAL KEYSPACE %s;
        */"""
            .formatted(KEYSPACE, KEYSPACE);
    return List.of(KEYSPACE, "keyspace", KEYSPACE, text);
  }

  private List<String> described(TableShape<?> table) {
    List<String> partition = names(table, TableShape.Kind.PARTITION_KEY);
    List<String> clustering = names(table, TableShape.Kind.CLUSTERING);
    boolean inline = partition.size() == 1 && clustering.isEmpty();
    String columns =
        table.columns().stream()
            .map(
                column ->
                    "    "
                        + column.name()
                        + " "
                        + column.type().cqlName()
                        + (inline && column.isKey() ? " PRIMARY KEY" : ""))
            .collect(Collectors.joining(",\n"));
    String text =
        """
        /*
        Warning: Table %s.%s is a virtual table and cannot be recreated with CQL.
        Structure, for reference:
        VIRTUAL TABLE %s.%s (
        %s
        ) WITH %scomment = '%s';
        */"""
            .formatted(
                KEYSPACE,
                table.name(),
                KEYSPACE,
                table.name(),
                inline ? columns : columns + ",\n    PRIMARY KEY " + key(partition, clustering),
                clustering.isEmpty() ? "" : order(clustering) + "\n    AND ",
                table.comment().replace("'", "''"));
    return List.of(KEYSPACE, "table", table.name(), text);
  }

  private static List<String> names(TableShape<?> table, TableShape.Kind kind) {
    return table.columns().stream()
        .filter(column -> column.kind() == kind)
        .map(TableShape.Column::name)
        .toList();
  }

  private static String key(List<String> partition, List<String> clustering) {
    String names = String.join(", ", partition);
    Stream<String> first = Stream.of(partition.size() == 1 ? names : "(" + names + ")");
    return Stream.concat(first, clustering.stream()).collect(Collectors.joining(", ", "(", ")"));
  }

  private static String order(List<String> clustering) {
    return clustering.stream()
        .map(name -> name + " ASC")
        .collect(Collectors.joining(", ", "CLUSTERING ORDER BY (", ")"));
  }
}
