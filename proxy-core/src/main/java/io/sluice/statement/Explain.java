package io.sluice.statement;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.plan.PlanLine;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.ring.Catalog;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** EXPLAIN: what Sluice would do with a SELECT, as rows. Stateless. */
public final class Explain {

  private static final String KEYWORD = "EXPLAIN";
  private static final String NOT_SUPPORTED = "ANALYZE";
  private static final List<RowSet.Column> COLUMNS =
      Stream.of("step", "node", "range", "rows", "note")
          .map(name -> new RowSet.Column("sluice", "explain", name, ColumnType.VARCHAR))
          .toList();

  private Explain() {}

  /** The text after EXPLAIN; null when a statement does not begin with it. */
  static @Nullable String explained(String cql) {
    return after(KEYWORD, cql);
  }

  private static @Nullable String after(String keyword, String cql) {
    int start = 0;
    while (start < cql.length() && Character.isWhitespace(cql.charAt(start))) {
      start++;
    }
    int end = start + keyword.length();
    boolean found =
        cql.regionMatches(true, start, keyword, 0, keyword.length())
            && cql.length() > end
            && Character.isWhitespace(cql.charAt(end));
    return found ? cql.substring(end + 1) : null;
  }

  /** The reason why a statement is not explained, for the client; null when it is. */
  public static @Nullable String refusal(Statement statement) {
    PreparedText text = statement.prepares();
    if (text != null && after(NOT_SUPPORTED, text.cql()) != null) {
      return "EXPLAIN ANALYZE is not supported: EXPLAIN shows what would be done with a SELECT and"
          + " reads nothing; metrics show what was done";
    }
    boolean other =
        switch (statement.shape().shape()) {
          case WRITE, SCHEMA, USE -> true;
          case NODE_LOCAL -> statement.shape().select() == null;
          default -> false;
        };
    return other ? "EXPLAIN is for SELECT; other statements go to one node as they came" : null;
  }

  /** Whether its plan tells of a table that not every role may read. */
  public static boolean showsTable(Classified statement) {
    return switch (statement.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ -> true;
      case OTHER -> statement.select() != null;
      default -> false;
    };
  }

  /**
   * A SELECT that a node refuses to roles that may not read the statement's table, and for which it
   * reads nothing: no key is in an empty list.
   *
   * @return null when the statement's plan tells of no table, and when the table is not known
   */
  public static @Nullable String permission(Classified statement, Catalog catalog) {
    String keyspace = statement.keyspace();
    String name = statement.table();
    if (!showsTable(statement) || keyspace == null || name == null) {
      return null;
    }
    Table table = catalog.table(keyspace, name);
    return table == null
        ? null
        : "SELECT "
            + quoted(table.partitionKey().get(0).name())
            + " FROM "
            + quoted(keyspace)
            + "."
            + quoted(name)
            + " WHERE "
            + table.partitionKey().stream()
                .map(column -> quoted(column.name()) + " IN ()")
                .collect(Collectors.joining(" AND "));
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The answer: a plan as rows, with addresses in the place of ids. */
  public static Frame rows(int version, List<PlanLine> lines, Ring ring) {
    List<List<@Nullable ByteBuffer>> rows = lines.stream().map(line -> row(line, ring)).toList();
    return CqlCodec.rows(version, new RowSet(COLUMNS, rows));
  }

  private static List<@Nullable ByteBuffer> row(PlanLine line, Ring ring) {
    String nodes =
        line.nodes().stream().map(id -> address(id, ring)).collect(Collectors.joining(", "));
    return Stream.of(line.step(), nodes, line.range(), line.rows(), line.note())
        .<@Nullable ByteBuffer>map(StandardCharsets.UTF_8::encode)
        .toList();
  }

  private static String address(NodeId id, Ring ring) {
    Node node = ring.node(id);
    return node == null
        ? id.toString()
        : node.address().getHostString() + ":" + node.address().getPort();
  }
}
