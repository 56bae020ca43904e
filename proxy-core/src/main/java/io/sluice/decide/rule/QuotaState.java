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
  static final int MOST_WAITING = 1_000;

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
  boolean tryEnter(boolean range, long now) {
    if (waiting() > 0 || allowance.blocked(range, now) != null) {
      return false;
    }
    enter(range);
    return true;
  }

  private void enter(boolean range) {
    allowance.enter(range);
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
      lines.removeFirst(next.range);
      enter(next.range);
      next.state = Entrant.State.LET_IN;
      settled.add(next);
    }
    expire(true, now, settled);
    expire(false, now, settled);
    while (waiting() > MOST_WAITING) {
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
    Entrant range = free(lines.first(true), now);
    Entrant other = free(lines.first(false), now);
    if (range == null || other == null) {
      return range == null ? other : range;
    }
    return range.order < other.order ? range : other;
  }

  private @Nullable Entrant free(@Nullable Entrant head, long now) {
    return head != null && allowance.blocked(head.range, now) == null ? head : null;
  }

  private void expire(boolean range, long now, List<Entrant> settled) {
    for (Entrant head = lines.first(range);
        head != null && now - head.since >= maxWait;
        head = lines.first(range)) {
      refuse(lines.removeFirst(range), now, settled);
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
    Limit limit = allowance.blocked(entrant.range, now);
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
  void leave(boolean range, long returned, long now) {
    allowance.leave(range, returned, now);
    rowsReturned += returned;
  }

  /**
   * Returns in how many ns time alone may let a request in or end its wait; {@link #NEVER} if it
   * cannot.
   */
  long nextTick(long now) {
    long next = Math.min(untilHead(true, now), untilHead(false, now));
    return next == Long.MAX_VALUE ? NEVER : Math.max(1, next);
  }

  private long untilHead(boolean range, long now) {
    Entrant head = lines.first(range);
    return head == null
        ? Long.MAX_VALUE
        : Math.min(maxWait - (now - head.since), allowance.nanosUntilFree(range, now));
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
