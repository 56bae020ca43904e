package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota.Entrant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The use of one rule's limits, and the requests that wait for them, in the order of arrival. Range
 * reads have a line of their own, since only they need a place for range reads. Times are in ns,
 * {@code now} never decreases. Not safe for several threads.
 */
final class QuotaState {

  /** Largest number of requests that wait for one rule; beyond it requests are refused. */
  static final int MOST_WAITING = 1_000;

  /** No event will happen by time alone. */
  static final long NEVER = -1;

  private final Deque<Entrant> ranges = new ArrayDeque<>();
  private final Deque<Entrant> others = new ArrayDeque<>();
  private final Map<Limit, Long> refused = new EnumMap<>(Limit.class);
  private Rule.Limits limits;
  private Map<Limit, Double> allowed = Map.of();
  private int mostRanges = Integer.MAX_VALUE;
  private long maxWait;
  private @Nullable TokenBucket requests;
  private @Nullable TokenBucket rows;
  private @Nullable Entrant joined;
  private int rangesUnderWay;
  private long arrivals;
  private long waited;
  private long letIn;
  private long rowsReturned;

  /** Creates a state without requests. */
  QuotaState(Rule.Limits limits, long now) {
    this.limits = limits;
    change(limits, now);
  }

  /** Changes the limits. Running requests may exceed the new limits. */
  void change(Rule.Limits next, long now) {
    limits = next;
    maxWait = limits.maxWait().toNanos();
    follow(now);
  }

  /**
   * Restricts this proxy to these parts of the limits; it may use all of a limit without a part.
   */
  void allow(Map<Limit, Double> parts, long now) {
    if (!allowed.equals(parts)) {
      allowed = Map.copyOf(parts);
      follow(now);
    }
  }

  private void follow(long now) {
    Double reads = least(Limit.RANGE_READS, limits.rangeReads());
    mostRanges = reads == null ? Integer.MAX_VALUE : reads.intValue();
    requests = changed(requests, least(Limit.REQUESTS_PER_SECOND, limits.requestsPerSecond()), now);
    rows = changed(rows, least(Limit.ROWS_PER_SECOND, limits.rowsPerSecond()), now);
  }

  private @Nullable Double least(Limit limit, @Nullable Integer most) {
    return most == null ? null : Math.min(most, allowed.getOrDefault(limit, most.doubleValue()));
  }

  private static @Nullable TokenBucket changed(
      @Nullable TokenBucket bucket, @Nullable Double rate, long now) {
    if (rate == null) {
      return null;
    } else if (bucket == null) {
      return new TokenBucket(rate, now);
    }
    bucket.rate(rate, now);
    return bucket;
  }

  int waiting() {
    return ranges.size() + others.size();
  }

  boolean countsRows() {
    return rows != null;
  }

  /** Lets a request in without waiting, if the limits allow it and no other waits. */
  boolean tryEnter(boolean range, long now) {
    if (waiting() > 0 || blocked(range, now) != null) {
      return false;
    }
    enter(range);
    return true;
  }

  private void enter(boolean range) {
    if (requests != null) {
      requests.take();
    }
    rangesUnderWay += range ? 1 : 0;
    letIn++;
  }

  /** Returns the limit that keeps a request out now; null if none does. */
  private @Nullable Limit blocked(boolean range, long now) {
    if (range && rangesUnderWay >= mostRanges) {
      return Limit.RANGE_READS;
    } else if (rows != null && !rows.has(now)) {
      return Limit.ROWS_PER_SECOND;
    }
    return requests != null && !requests.has(now) ? Limit.REQUESTS_PER_SECOND : null;
  }

  /** Adds a request that has to wait. The caller must call {@link #settle} next. */
  void join(Entrant entrant, long now) {
    entrant.since = now;
    entrant.state = Entrant.State.WAITING;
    line(entrant.range).addLast(entrant);
    entrant.order = arrivals++;
    joined = entrant;
  }

  private Deque<Entrant> line(boolean range) {
    return range ? ranges : others;
  }

  /**
   * Lets in and refuses all requests that are due.
   *
   * @return those whose state has changed, in order
   */
  List<Entrant> settle(long now) {
    List<Entrant> settled = new ArrayList<>();
    for (Entrant next = next(now); next != null; next = next(now)) {
      line(next.range).removeFirst();
      enter(next.range);
      next.state = Entrant.State.LET_IN;
      settled.add(next);
    }
    expire(ranges, now, settled);
    expire(others, now, settled);
    while (waiting() > MOST_WAITING) {
      refuse(newest().removeLast(), now, settled);
    }
    if (joined != null && joined.state == Entrant.State.WAITING) {
      waited++;
    }
    joined = null;
    return settled;
  }

  /** Returns the earlier of both lines' heads among those that may go. */
  private @Nullable Entrant next(long now) {
    Entrant range = free(ranges.peekFirst(), now);
    Entrant other = free(others.peekFirst(), now);
    if (range == null || other == null) {
      return range == null ? other : range;
    }
    return range.order < other.order ? range : other;
  }

  private @Nullable Entrant free(@Nullable Entrant head, long now) {
    return head != null && blocked(head.range, now) == null ? head : null;
  }

  private void expire(Deque<Entrant> line, long now, List<Entrant> settled) {
    while (!line.isEmpty() && now - line.getFirst().since >= maxWait) {
      refuse(line.removeFirst(), now, settled);
    }
  }

  /** Returns the line that the last arrival among all waiting requests is in. */
  private Deque<Entrant> newest() {
    Entrant range = ranges.peekLast();
    Entrant other = others.peekLast();
    return other == null || (range != null && range.order > other.order) ? ranges : others;
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
    Limit limit = blocked(entrant.range, now);
    return limit == null ? Limit.REQUESTS_PER_SECOND : limit;
  }

  /** Counts a refused request. */
  void refuse(Limit limit) {
    refused.merge(limit, 1L, Long::sum);
  }

  /** Removes a waiting request. The caller must call {@link #settle} next. */
  void withdraw(Entrant entrant) {
    line(entrant.range).remove(entrant);
    entrant.state = Entrant.State.CANCELLED;
  }

  /** Ends a request that was let in. The caller must call {@link #settle} next. */
  void leave(boolean range, long returned, long now) {
    if (range) {
      if (rangesUnderWay == 0) {
        throw new IllegalStateException("no range read is under way");
      }
      rangesUnderWay--;
    }
    rowsReturned += returned;
    if (rows != null && returned > 0) {
      rows.charge((double) returned, now);
    }
  }

  /**
   * Returns in how many ns time alone may let a request in or end its wait; {@link #NEVER} if it
   * cannot.
   */
  long nextTick(long now) {
    long next = Long.MAX_VALUE;
    if (!ranges.isEmpty()) {
      next = untilHead(ranges.getFirst(), now);
    }
    if (!others.isEmpty()) {
      next = Math.min(next, untilHead(others.getFirst(), now));
    }
    return next == Long.MAX_VALUE ? NEVER : Math.max(1, next);
  }

  private long untilHead(Entrant head, long now) {
    long patience = maxWait - (now - head.since);
    if (head.range && rangesUnderWay >= mostRanges) {
      return patience;
    }
    long forRows = rows == null ? 0 : rows.nanosUntilOne(now);
    long forRequest = requests == null ? 0 : requests.nanosUntilOne(now);
    return Math.min(patience, Math.max(forRows, forRequest));
  }

  /** Returns the present use and the counts since the start. */
  QuotaUse use(long now) {
    return new QuotaUse(
        rangesUnderWay,
        requests == null ? Double.NaN : requests.tokens(now),
        rows == null ? Double.NaN : rows.tokens(now) - rows.debt(now),
        waiting(),
        waited,
        letIn,
        rowsReturned,
        Map.copyOf(refused));
  }
}
