package io.sluice.decide.rule;

import io.sluice.decide.rule.RuleQuota.Entrant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for one rule's limits, in the order of arrival. Range reads have a line of
 * their own, since only they need a place for range reads. Not safe for several threads.
 */
final class WaitingLines {

  private final Map<Line, Deque<Entrant>> lines = new EnumMap<>(Line.class);
  private long arrivals;

  WaitingLines() {
    for (Line line : Line.values()) {
      lines.put(line, new ArrayDeque<>());
    }
  }

  /** Returns how many requests wait. */
  int size() {
    return waiting(Line.RANGE_READS).size() + waiting(Line.OTHERS).size();
  }

  /** Adds a request at the end of its line. */
  void add(Entrant entrant, long now) {
    entrant.since = now;
    entrant.order = arrivals++;
    entrant.state = Entrant.State.WAITING;
    waiting(entrant.line).addLast(entrant);
  }

  private Deque<Entrant> waiting(Line line) {
    return Objects.requireNonNull(lines.get(line));
  }

  /** Returns the request that has waited longest in one of the lines; null if none waits there. */
  @Nullable Entrant first(Line line) {
    return waiting(line).peekFirst();
  }

  /** Removes the request that has waited longest in one of the lines, where one waits. */
  Entrant removeFirst(Line line) {
    return waiting(line).removeFirst();
  }

  /** Removes the request of both lines that arrived last, where one waits. */
  Entrant removeLast() {
    Entrant range = waiting(Line.RANGE_READS).peekLast();
    Entrant other = waiting(Line.OTHERS).peekLast();
    boolean ofRanges = other == null || (range != null && range.order > other.order);
    return waiting(Line.of(ofRanges)).removeLast();
  }

  /** Removes a request from the middle of its line. */
  void remove(Entrant entrant) {
    waiting(entrant.line).remove(entrant);
  }
}
