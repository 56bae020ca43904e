package io.sluice.ycsb;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The CQL statements of the binding.
 *
 * @param keyspace the table's keyspace
 * @param fields number of fields of a whole row
 * @param verify whether rows have a checksum
 */
record Statements(String keyspace, int fields, boolean verify) {
  static final String KEY = "y_id";
  static final String CHECKSUM = "sluice_checksum";

  String createKeyspace(int replicas) {
    return "CREATE KEYSPACE IF NOT EXISTS "
        + keyspace
        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
        + replicas
        + "}";
  }

  String createTable(String table) {
    String columns =
        allFields().stream().map(f -> ", " + f + " varchar").collect(Collectors.joining());
    return "CREATE TABLE IF NOT EXISTS "
        + keyspace
        + "."
        + table
        + " ("
        + KEY
        + " varchar PRIMARY KEY"
        + columns
        + (verify ? ", " + CHECKSUM + " bigint" : "")
        + ")";
  }

  /** Returns the statement of a read. It binds the key. */
  String read(String table, @Nullable Collection<String> wanted) {
    return select(wanted) + from(table) + " WHERE " + KEY + " = ?";
  }

  /**
   * Returns the statement of a scan. For TOKEN_LIMIT, it binds start key and limit; for
   * TOKEN_RANGE, start key, last token and limit; for the others nothing.
   */
  String scan(String table, ScanMode mode, @Nullable Collection<String> wanted) {
    String start = " WHERE token(" + KEY + ") >= token(?)";
    return switch (mode) {
      case TOKEN_LIMIT -> select(wanted) + from(table) + start + " LIMIT ?";
      case TOKEN_RANGE ->
          select(wanted) + from(table) + start + " AND token(" + KEY + ") <= ? LIMIT ?";
      case FULL_TABLE -> select(wanted) + from(table);
      case COUNT -> "SELECT count(*)" + from(table);
    };
  }

  /**
   * Returns the statement of a write. It binds the key, the values in the order of their columns'
   * names, then the checksum if any.
   */
  String write(String table, Collection<String> columns) {
    List<String> names =
        Stream.of(
                List.of(KEY),
                new TreeSet<>(columns),
                verify ? List.of(CHECKSUM) : List.<String>of())
            .flatMap(Collection::stream)
            .toList();
    return "INSERT INTO "
        + keyspace
        + "."
        + table
        + " ("
        + String.join(", ", names)
        + ") VALUES ("
        + String.join(", ", Collections.nCopies(names.size(), "?"))
        + ")";
  }

  /** Returns the statement of a delete. It binds the key. */
  String delete(String table) {
    return "DELETE" + from(table) + " WHERE " + KEY + " = ?";
  }

  List<String> allFields() {
    return IntStream.range(0, fields).mapToObj(i -> "field" + i).toList();
  }

  /** Returns the selection: with checks, all columns. */
  private String select(@Nullable Collection<String> wanted) {
    return wanted == null || verify
        ? "SELECT *"
        : "SELECT " + KEY + ", " + String.join(", ", new TreeSet<>(wanted));
  }

  private String from(String table) {
    return " FROM " + keyspace + "." + table;
  }
}
