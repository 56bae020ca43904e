package io.sluice.exchange;

import io.sluice.decide.plan.PlanStep;
import io.sluice.execute.table.JsonText;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Explain;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of EXPLAIN ANALYZE: a request that a read sent to a node, or the sum of several
 * requests. Immutable.
 *
 * @param step {@code read}, the piece, or {@code total}
 * @param node the node; null for the total, and where the rows came with another read
 * @param range the token range that was read; empty when the request names none
 * @param queuedMillis time in the queue, ms; NaN when unknown
 * @param readMillis time from sending the request to its answer, ms; NaN when unknown
 * @param rows rows of the answer; below 0 when unknown
 * @param bytes the size of the answer; below 0 when unknown
 * @param predictedMillis the predicted work, ms; NaN when unknown
 * @param actualMillis the work of the actual answer by the same costs, ms; NaN when unknown
 * @param note a remark, such as an error's name; may be empty
 * @param when begin and end of the request; {@link When#NEVER} for a sum of several
 */
record AnalyzedRequest(
    PlanStep step,
    @Nullable NodeId node,
    String range,
    double queuedMillis,
    double readMillis,
    long rows,
    long bytes,
    double predictedMillis,
    double actualMillis,
    String note,
    When when) {

  /**
   * The times of a request on the path's clock, ns.
   *
   * @param queued when the request joined the queue
   * @param sent when the request was sent; the end when it was never sent
   * @param ended when the answer came, or the request was given up
   */
  record When(long queued, long sent, long ended) {
    static final When NEVER = new When(0, 0, 0);
  }

  private static final String UNKNOWN = "unknown";

  private static final List<RowSet.Column> ANALYZED =
      Stream.of(
              "step",
              "node",
              "range",
              "queued_ms",
              "read_ms",
              "rows",
              "bytes",
              "predicted_work_ms",
              "work_ms",
              "note")
          .map(Explain::column)
          .toList();

  /**
   * Returns the response to EXPLAIN ANALYZE for a SELECT that has run.
   *
   * @param requests the requests to nodes, in order
   * @param json whether the response is one JSON text instead of one row per request
   * @param answer the answer to the SELECT, which stays the caller's; the response repeats its
   *     warnings
   */
  static Frame rows(
      List<AnalyzedRequest> requests,
      AnalyzedRequest total,
      Ring ring,
      boolean json,
      Frame answer) {
    if (json) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      all.put("requests", requests.stream().map(each -> members(each, ring)).toList());
      all.put("total", members(total, ring));
      RowSet text = new RowSet(Explain.JSON, List.of(Explain.row(List.of(JsonText.of(all)))));
      return CqlCodec.rows(text, null, answer);
    }
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    requests.forEach(each -> rows.add(Explain.row(cells(each, ring))));
    rows.add(Explain.row(cells(total, ring)));
    return CqlCodec.rows(new RowSet(ANALYZED, rows), null, answer);
  }

  private static List<String> cells(AnalyzedRequest request, Ring ring) {
    NodeId node = request.node();
    return List.of(
        request.step().text(),
        node == null ? "" : Explain.address(node, ring),
        request.range(),
        millis(request.queuedMillis()),
        millis(request.readMillis()),
        request.rows() < 0 ? UNKNOWN : String.valueOf(request.rows()),
        request.bytes() < 0 ? UNKNOWN : String.valueOf(request.bytes()),
        millis(request.predictedMillis()),
        millis(request.actualMillis()),
        request.note());
  }

  private static String millis(double value) {
    return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%.2f", value);
  }

  private static Map<String, @Nullable Object> members(AnalyzedRequest request, Ring ring) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("step", request.step().text());
    NodeId node = request.node();
    if (node != null) {
      members.put("node", Explain.address(node, ring));
    }
    if (!request.range().isEmpty()) {
      members.put("range", request.range());
    }
    members.put("queued_ms", request.queuedMillis());
    members.put("read_ms", request.readMillis());
    members.put("rows", request.rows() < 0 ? null : request.rows());
    members.put("bytes", request.bytes() < 0 ? null : request.bytes());
    members.put("predicted_work_ms", request.predictedMillis());
    members.put("work_ms", request.actualMillis());
    members.put("note", request.note());
    return members;
  }
}
