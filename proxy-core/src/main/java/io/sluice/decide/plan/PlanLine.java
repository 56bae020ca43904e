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
 * One line of a plan, as text for people and as values for programs. Immutable.
 *
 * @param step the step
 * @param nodes the nodes of the step, the preferred first; empty if they make no difference
 * @param range the tokens of the step; empty if none apply
 * @param rows expected number of rows; NaN without an estimate, null if the step has no rows
 * @param workMicros predicted work of the nodes, µs; NaN if unknown, null if the step has none
 * @param note further text
 * @param facts the values in the note, in order: Strings, Booleans, Integers, Longs and Doubles. A
 *     key is a name in lower case with its unit, for example {@code wait_ms}; an unknown value is
 *     null
 */
public record PlanLine(
    PlanStep step,
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

  /** Creates a line without work and facts. */
  public PlanLine(
      PlanStep step, List<NodeId> nodes, String range, @Nullable Double rows, String note) {
    this(step, nodes, range, rows, null, note, Map.of());
  }

  /** Creates a line without work and facts, about a step that is no piece. */
  public PlanLine(
      String step, List<NodeId> nodes, String range, @Nullable Double rows, String note) {
    this(new PlanStep.Named(step), nodes, range, rows, note);
  }

  /** Creates a line with only a note. */
  public static PlanLine note(String step, String note) {
    return at(step, List.of(), note);
  }

  /** Creates a line with a note about some nodes. */
  public static PlanLine at(String step, List<NodeId> nodes, String note) {
    return new PlanLine(step, nodes, "", null, note);
  }

  /** Returns this line with one more value. */
  public PlanLine with(String name, @Nullable Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(facts);
    more.put(name, value);
    return new PlanLine(step, nodes, range, rows, workMicros, note, more);
  }

  /** Returns this line with its work. */
  public PlanLine withWork(double micros) {
    return new PlanLine(step, nodes, range, rows, micros, note, facts);
  }

  /** Formats a range. */
  public static String tokens(TokenRange range) {
    Token after = range.after();
    Token upTo = range.upTo();
    if (upTo == null) {
      return after == null ? "all tokens" : "token > " + after.toCql();
    }
    return (after == null ? "" : after.toCql() + " < ") + "token <= " + upTo.toCql();
  }

  /** Formats the rows: {@code about 12}, {@code under 1}, {@code unknown} or nothing. */
  public String rowsText() {
    if (rows == null) {
      return "";
    }
    if (rows == 1) {
      return "1";
    }
    return Double.isNaN(rows) ? UNKNOWN : rows < 1 ? "under 1" : "about " + Math.round(rows);
  }

  /** Formats the work in ms: {@code about 1.3 ms}, {@code unknown} or nothing. */
  public String workText() {
    if (workMicros == null) {
      return "";
    }
    return Double.isNaN(workMicros) ? UNKNOWN : "about " + millis(workMicros);
  }

  /** Formats a time in ms, with its significant digits. */
  public static String millis(double micros) {
    double millis = micros / MICROS_PER_MILLI;
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
  }
}
