package io.sluice.decide.rule;

import io.sluice.decide.rule.RuleQuota.Entrant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for one rule's limits, in the order of arrival. Range reads have a line of
 * their own, since only they need a place for range reads. Not safe for several threads.
 */
final class WaitingLines {

  private final Deque<Entrant> ranges = new ArrayDeque<>();
  private final Deque<Entrant> others = new ArrayDeque<>();
  private long arrivals;

  /** Returns how many requests wait. */
  int size() {
    return ranges.size() + others.size();
  }

  /** Adds a request at the end of its line. */
  void add(Entrant entrant, long now) {
    entrant.since = now;
    entrant.order = arrivals++;
    entrant.state = Entrant.State.WAITING;
    line(entrant.range).addLast(entrant);
  }

  private Deque<Entrant> line(boolean range) {
    return range ? ranges : others;
  }

  /** Returns the request that has waited longest in one of the lines; null if none waits there. */
  @Nullable Entrant first(boolean range) {
    return line(range).peekFirst();
  }

  /** Removes the request that has waited longest in one of the lines, where one waits. */
  Entrant removeFirst(boolean range) {
    return line(range).removeFirst();
  }

  /** Removes the request of both lines that arrived last, where one waits. */
  Entrant removeLast() {
    Entrant range = ranges.peekLast();
    Entrant other = others.peekLast();
    boolean ofRanges = other == null || (range != null && range.order > other.order);
    return line(ofRanges).removeLast();
  }

  /** Removes a request from the middle of its line. */
  void remove(Entrant entrant) {
    line(entrant.range).remove(entrant);
  }
}
