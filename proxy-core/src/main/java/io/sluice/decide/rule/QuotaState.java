package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota.Entrant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one rule, the requests that wait for them, and the counts since the start. Times
 * are in ns, {@code now} never decreases. Not safe for several threads.
 */
final class QuotaState {

  /** Largest number of requests that wait for one rule; beyond it requests are refused. */
  static final int MAX_WAITING = 1_000;

  /** No event will happen by time alone. */
  static final long NEVER = -1;

  private final Allowance allowance;
  private final WaitingLines lines = new WaitingLines();
  private final Map<Limit, Long> refused = new EnumMap<>(Limit.class);
  private long maxWait;
  private @Nullable Entrant joined;
  private long waited;
  private long letIn;
  private long rowsReturned;

  /** Creates a state without requests. */
  QuotaState(Rule.Limits limits, long now) {
    this.allowance = new Allowance(limits, now);
    this.maxWait = limits.maxWait().toNanos();
  }

  /** Changes the limits. Running requests may exceed the new limits. */
  void change(Rule.Limits next, long now) {
    maxWait = next.maxWait().toNanos();
    allowance.change(next, now);
  }

  /**
   * Restricts this proxy to these parts of the limits; it may use all of a limit without a part.
   */
  void allow(Map<Limit, Double> parts, long now) {
    allowance.restrict(parts, now);
  }

  int waiting() {
    return lines.size();
  }

  boolean countsRows() {
    return allowance.countsRows();
  }

  /** Lets a request in without waiting, if the limits allow it and no other waits. */
  boolean tryEnter(Line line, long now) {
    if (waiting() > 0 || allowance.blocked(line, now) != null) {
      return false;
    }
    enter(line);
    return true;
  }

  private void enter(Line line) {
    allowance.enter(line);
    letIn++;
  }

  /** Adds a request that has to wait. The caller must call {@link #settle} next. */
  void join(Entrant entrant, long now) {
    lines.add(entrant, now);
    joined = entrant;
  }

  /**
   * Lets in and refuses all requests that are due.
   *
   * @return those whose state has changed, in order
   */
  List<Entrant> settle(long now) {
    List<Entrant> settled = new ArrayList<>();
    for (Entrant next = next(now); next != null; next = next(now)) {
      lines.removeFirst(next.line);
      enter(next.line);
      next.state = Entrant.State.LET_IN;
      settled.add(next);
    }
    expire(Line.RANGE_READS, now, settled);
    expire(Line.OTHERS, now, settled);
    while (waiting() > MAX_WAITING) {
      refuse(lines.removeLast(), now, settled);
    }
    if (joined != null && joined.state == Entrant.State.WAITING) {
      waited++;
    }
    joined = null;
    return settled;
  }

  /** Returns the earlier of both lines' heads among those that may go. */
  private @Nullable Entrant next(long now) {
    Entrant range = free(lines.first(Line.RANGE_READS), now);
    Entrant other = free(lines.first(Line.OTHERS), now);
    if (range == null || other == null) {
      return range == null ? other : range;
    }
    return range.order < other.order ? range : other;
  }

  private @Nullable Entrant free(@Nullable Entrant head, long now) {
    return head != null && allowance.blocked(head.line, now) == null ? head : null;
  }

  private void expire(Line line, long now, List<Entrant> settled) {
    for (Entrant head = lines.first(line);
        head != null && now - head.since >= maxWait;
        head = lines.first(line)) {
      refuse(lines.removeFirst(line), now, settled);
    }
  }

  private void refuse(Entrant over, long now, List<Entrant> settled) {
    Limit limit = reason(over, now);
    over.state = Entrant.State.REFUSED;
    over.limit = limit;
    refuse(limit);
    settled.add(over);
  }

  /** Returns the limit that a request waits for. */
  private Limit reason(Entrant entrant, long now) {
    Limit limit = allowance.blocked(entrant.line, now);
    return limit == null ? Limit.REQUESTS_PER_SECOND : limit;
  }

  /** Counts a refused request. */
  void refuse(Limit limit) {
    refused.merge(limit, 1L, Long::sum);
  }

  /**
   * Removes a waiting request. Nothing is to be settled: the requests behind it in its line wait
   * for the same limits.
   */
  void withdraw(Entrant entrant) {
    lines.remove(entrant);
    entrant.state = Entrant.State.CANCELLED;
  }

  /** Ends a request that was let in. The caller must call {@link #settle} next. */
  void leave(Line line, long returned, long now) {
    allowance.leave(line, returned, now);
    rowsReturned += returned;
  }

  /**
   * Returns in how many ns time alone may let a request in or end its wait; {@link #NEVER} if it
   * cannot.
   */
  long nextTick(long now) {
    long next = Math.min(untilHead(Line.RANGE_READS, now), untilHead(Line.OTHERS, now));
    return next == Long.MAX_VALUE ? NEVER : Math.max(1, next);
  }

  private long untilHead(Line line, long now) {
    Entrant head = lines.first(line);
    return head == null
        ? Long.MAX_VALUE
        : Math.min(maxWait - (now - head.since), allowance.nanosUntilFree(line, now));
  }

  /** Returns the present use and the counts since the start. */
  QuotaUse use(long now) {
    return new QuotaUse(
        allowance.rangesUnderWay(),
        allowance.requestTokens(now),
        allowance.rowTokens(now),
        waiting(),
        waited,
        letIn,
        rowsReturned,
        Map.copyOf(refused));
  }
}
