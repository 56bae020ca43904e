package io.sluice.statement;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.plan.PlanLine;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.table.JsonText;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** EXPLAIN: what Sluice would do with a SELECT, as rows. Stateless. */
public final class Explain {

  private static final double MICROS_PER_MILLI = 1000;

  private static final List<RowSet.Column> COLUMNS =
      Stream.of("step", "node", "range", "rows", "work", "note").map(Explain::column).toList();

  /** The one column that SELECT JSON has, too. */
  public static final List<RowSet.Column> JSON = List.of(column("[json]"));

  private Explain() {}

  /**
   * The options of an EXPLAIN.
   *
   * @param analyze whether the SELECT is run
   * @param json whether the answer is one JSON text
   */
  public record Options(boolean analyze, boolean json) {}

  /** A column of text. */
  public static RowSet.Column column(String name) {
    return new RowSet.Column("sluice", "explain", name, ColumnType.VARCHAR);
  }

  /** The reason why a statement is not explained, for the client; null when it is. */
  public static @Nullable String refusal(Statement statement) {
    PreparedText text = statement.prepares();
    if (text != null && ExplainHead.isExplain(text.cql())) {
      return "EXPLAIN cannot be explained";
    } else if (text != null && text.cql().replace(';', ' ').isBlank()) {
      return "EXPLAIN needs a SELECT behind it";
    }
    boolean other =
        switch (statement.shape().shape()) {
          case WRITE, TRUNCATE, SCHEMA, USE -> true;
          case NODE_LOCAL -> statement.shape().select() == null;
          default -> false;
        };
    return other ? "EXPLAIN is for SELECT; other statements go to one node as they came" : null;
  }

  /**
   * Whether a statement is run for EXPLAIN ANALYZE: it is a SELECT for certain, and changes
   * nothing.
   */
  public static boolean runs(Statement statement) {
    return statement.explain() != null
        && statement.explain().analyze()
        && switch (statement.shape().shape()) {
          case POINT_READ, MULTI_POINT_READ, RANGE_READ -> true;
          case NODE_LOCAL, SYSTEM_LOCAL, OTHER -> statement.shape().select() != null;
          default -> false;
        };
  }

  /** Whether a text asks to be explained. */
  public static boolean isExplain(String cql) {
    return ExplainHead.isExplain(cql);
  }

  /** Whether a client prepares an EXPLAIN, which is no statement of Cassandra. */
  public static boolean isPrepared(Statement statement) {
    PreparedText text = statement.prepares();
    return statement.explain() == null && text != null && ExplainHead.isExplain(text.cql());
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

  /**
   * The answer: a plan as rows, with addresses in the place of ids.
   *
   * @param json whether it is one JSON text instead
   */
  public static Frame rows(int version, List<PlanLine> lines, Ring ring, boolean json) {
    RowSet rows =
        json
            ? new RowSet(JSON, List.of(row(List.of(json(Map.of(), lines, ring)))))
            : new RowSet(COLUMNS, lines.stream().map(line -> row(cells(line, ring))).toList());
    return CqlCodec.rows(version, rows);
  }

  /** A row of texts. */
  public static List<@Nullable ByteBuffer> row(List<String> cells) {
    return cells.stream().<@Nullable ByteBuffer>map(StandardCharsets.UTF_8::encode).toList();
  }

  /** The names of the columns. */
  public static List<String> columns() {
    return COLUMNS.stream().map(RowSet.Column::name).toList();
  }

  /** A line as the cells of {@link #columns}. */
  public static List<String> cells(PlanLine line, Ring ring) {
    return List.of(
        line.step(),
        String.join(", ", addresses(line, ring)),
        line.range(),
        line.rowsText(),
        line.workText(),
        line.note());
  }

  /**
   * A plan as one JSON text: an object with one object for each line under {@code plan}. What is
   * not known is null, what a line does not have is left out.
   *
   * @param before other members, which stand before the plan
   */
  public static String json(
      Map<String, ? extends @Nullable Object> before, List<PlanLine> lines, Ring ring) {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (PlanLine line : lines) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      members.put("step", line.step());
      if (!line.nodes().isEmpty()) {
        members.put("nodes", addresses(line, ring));
      }
      if (!line.range().isEmpty()) {
        members.put("range", line.range());
      }
      if (line.rows() != null) {
        members.put("rows", line.rows());
      }
      if (line.workMicros() != null) {
        members.put("work_ms", line.workMicros() / MICROS_PER_MILLI);
      }
      members.putAll(line.facts());
      members.put("note", line.note());
      all.add(members);
    }
    Map<String, @Nullable Object> object = new LinkedHashMap<>(before);
    object.put("plan", all);
    return JsonText.of(object);
  }

  private static List<String> addresses(PlanLine line, Ring ring) {
    return line.nodes().stream().map(id -> address(id, ring)).toList();
  }

  /** A node for people: its address, or its id when it is not known. */
  public static String address(NodeId id, Ring ring) {
    Node node = ring.node(id);
    return node == null
        ? id.toString()
        : node.address().getHostString() + ":" + node.address().getPort();
  }
}
