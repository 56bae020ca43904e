package io.sluice.decide.plan;

import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a plan for people, with the same in values for programs. Immutable.
 *
 * @param step what is done
 * @param nodes where, the preferred first; empty where that makes no difference
 * @param range the tokens it is about; empty for none in particular
 * @param rows how many rows are expected; NaN without an estimate, null where none are
 * @param workMicros the work that nodes are predicted to have with it, µs; NaN where it is not
 *     known, null where there is none
 * @param note what else there is to say
 * @param facts what the note says as values, in order: Strings, Booleans, Integers, Longs and
 *     Doubles by a name in lower case with its unit, for example {@code wait_ms}; null where it is
 *     not known
 */
public record PlanLine(
    String step,
    List<NodeId> nodes,
    String range,
    @Nullable Double rows,
    @Nullable Double workMicros,
    String note,
    Map<String, @Nullable Object> facts) {

  private static final String UNKNOWN = "unknown";
  private static final double MICROS_PER_MILLI = 1000;

  public PlanLine {
    nodes = List.copyOf(nodes);
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** A line whose note says all there is to say. */
  public PlanLine(
      String step, List<NodeId> nodes, String range, @Nullable Double rows, String note) {
    this(step, nodes, range, rows, null, note, Map.of());
  }

  /** A line without rows. */
  public static PlanLine note(String step, String note) {
    return at(step, List.of(), note);
  }

  /** The same about some nodes. */
  public static PlanLine at(String step, List<NodeId> nodes, String note) {
    return new PlanLine(step, nodes, "", null, note);
  }

  /** The same line with one more value. */
  public PlanLine with(String name, @Nullable Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(facts);
    more.put(name, value);
    return new PlanLine(step, nodes, range, rows, workMicros, note, more);
  }

  /** The same line with its work. */
  public PlanLine withWork(double micros) {
    return new PlanLine(step, nodes, range, rows, micros, note, facts);
  }

  /** A range for people. */
  public static String tokens(TokenRange range) {
    Token after = range.after();
    Token upTo = range.upTo();
    if (upTo == null) {
      return after == null ? "all tokens" : "token > " + after.toCql();
    }
    return (after == null ? "" : after.toCql() + " < ") + "token <= " + upTo.toCql();
  }

  /** The rows for people: {@code about 12}, {@code under 1}, {@code unknown} or nothing. */
  public String rowsText() {
    if (rows == null) {
      return "";
    }
    if (rows == 1) {
      return "1";
    }
    return Double.isNaN(rows) ? UNKNOWN : rows < 1 ? "under 1" : "about " + Math.round(rows);
  }

  /** The work for people, in ms: {@code about 1.3 ms}, {@code unknown} or nothing. */
  public String workText() {
    if (workMicros == null) {
      return "";
    }
    return Double.isNaN(workMicros) ? UNKNOWN : "about " + millis(workMicros);
  }

  /** A time in ms, with as many digits as mean something. */
  public static String millis(double micros) {
    double millis = micros / MICROS_PER_MILLI;
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
  }
}
