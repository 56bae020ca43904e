package io.sluice.statement;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.plan.PlanLine;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.table.JsonText;
import io.sluice.ring.Catalog;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
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

/** The EXPLAIN statement, whose rows show what Sluice would do with a SELECT. Stateless. */
public final class Explain {

  private static final double MICROS_PER_MILLI = 1000;

  private static final List<RowSet.Column> COLUMNS =
      Stream.of("step", "node", "range", "rows", "work", "note").map(Explain::column).toList();

  /** The one column of a JSON result, as for SELECT JSON. */
  public static final List<RowSet.Column> JSON = List.of(column("[json]"));

  private Explain() {}

  /**
   * The options of an EXPLAIN.
   *
   * @param analyze whether the SELECT is run
   * @param json whether the answer is one JSON text
   */
  public record Options(boolean analyze, boolean json) {}

  /** Creates a text column. */
  public static RowSet.Column column(String name) {
    return new RowSet.Column("sluice", "explain", name, ColumnType.VARCHAR);
  }

  /** Returns the reason, for the client, why a statement cannot be explained; null when it can. */
  public static @Nullable String refusal(Statement statement) {
    PreparedText text = statement.prepares();
    if (text != null && ExplainHead.isExplain(text.cql())) {
      return "EXPLAIN cannot be explained";
    } else if (text != null && text.cql().replace(';', ' ').isBlank()) {
      return "EXPLAIN needs a SELECT behind it";
    }
    boolean other =
        switch (statement.classified().shape()) {
          case WRITE, UNKNOWN_WRITE, TRUNCATE, SCHEMA, USE -> true;
          case NODE_LOCAL, SYSTEM_LOCAL -> statement.classified().select() == null;
          default -> false;
        };
    return other ? "EXPLAIN is for SELECT; other statements go to one node as they came" : null;
  }

  /**
   * Whether a statement is run for EXPLAIN ANALYZE: it must certainly be a SELECT, which changes
   * nothing.
   */
  public static boolean runs(Statement statement) {
    return statement.explain() != null
        && statement.explain().analyze()
        && switch (statement.classified().shape()) {
          case POINT_READ, MULTI_POINT_READ, RANGE_READ -> true;
          case NODE_LOCAL, SYSTEM_LOCAL, OTHER -> statement.classified().select() != null;
          default -> false;
        };
  }

  /** Whether a text begins with EXPLAIN. */
  public static boolean isExplain(String cql) {
    return ExplainHead.isExplain(cql);
  }

  /** Whether a client prepares an EXPLAIN, which Cassandra does not know. */
  public static boolean isPrepared(Statement statement) {
    PreparedText text = statement.prepares();
    return statement.explain() == null && text != null && ExplainHead.isExplain(text.cql());
  }

  /** Whether the plan of a statement shows data of a table that some roles may not read. */
  public static boolean showsTable(Classified statement) {
    return switch (statement.shape()) {
      case POINT_READ, MULTI_POINT_READ, RANGE_READ -> true;
      case OTHER -> statement.select() != null;
      default -> false;
    };
  }

  /**
   * Returns a SELECT that a node refuses for roles without SELECT permission on the statement's
   * table. The node reads nothing for it, because its IN lists are empty.
   *
   * @return null when the plan shows no table, or when the table is unknown
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
            + TableName.quoted(table.partitionKey().get(0).name())
            + " FROM "
            + TableName.quoted(keyspace)
            + "."
            + TableName.quoted(name)
            + " WHERE "
            + table.partitionKey().stream()
                .map(column -> TableName.quoted(column.name()) + " IN ()")
                .collect(Collectors.joining(" AND "));
  }

  /**
   * Returns the response: a plan as rows, with addresses instead of ids.
   *
   * @param json whether the response is one JSON text
   */
  public static Frame rows(int version, List<PlanLine> lines, Ring ring, boolean json) {
    RowSet rows =
        json
            ? new RowSet(JSON, List.of(row(List.of(json(Map.of(), lines, ring)))))
            : new RowSet(COLUMNS, lines.stream().map(line -> row(cells(line, ring))).toList());
    return CqlCodec.rows(version, rows);
  }

  /** Creates a row of texts. */
  public static List<@Nullable ByteBuffer> row(List<String> cells) {
    return cells.stream().<@Nullable ByteBuffer>map(StandardCharsets.UTF_8::encode).toList();
  }

  /** Returns the names of the columns. */
  public static List<String> columns() {
    return COLUMNS.stream().map(RowSet.Column::name).toList();
  }

  /** Returns the cells of a line, in the order of {@link #columns}. */
  public static List<String> cells(PlanLine line, Ring ring) {
    return List.of(
        line.step().text(),
        String.join(", ", addresses(line, ring)),
        line.range(),
        line.rowsText(),
        line.workText(),
        line.note());
  }

  /**
   * Returns a plan as one JSON text: an object with an array of lines under {@code plan}. An
   * unknown value is null; a member that a line lacks is left out.
   *
   * @param before other members, which precede the plan
   */
  public static String json(
      Map<String, ? extends @Nullable Object> before, List<PlanLine> lines, Ring ring) {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (PlanLine line : lines) {
      Map<String, @Nullable Object> members = new LinkedHashMap<>();
      members.put("step", line.step().text());
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

  /** Returns the address of a node for display; the id when the node is unknown. */
  public static String address(NodeId id, Ring ring) {
    Node node = ring.node(id);
    return node == null ? id.toString() : node.addressText();
  }
}
