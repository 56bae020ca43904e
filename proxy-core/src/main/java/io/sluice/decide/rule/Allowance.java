package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The use that one rule's limits allow: places for range reads, and tokens for requests and rows.
 * Times are in ns, {@code now} never decreases. Not safe for several threads.
 */
final class Allowance {

  private Rule.Limits limits;

  /** The parts of the limits that this proxy may use; all of a limit without a part. */
  private Map<Limit, Double> parts = Map.of();

  private int mostRanges = Integer.MAX_VALUE;
  private int rangesUnderWay;
  private @Nullable TokenBucket requests;
  private @Nullable TokenBucket rows;

  /** Creates an allowance that is not used yet. */
  Allowance(Rule.Limits limits, long now) {
    this.limits = limits;
    follow(now);
  }

  /** Changes the limits. Running requests may exceed the new limits. */
  void change(Rule.Limits next, long now) {
    limits = next;
    follow(now);
  }

  /**
   * Restricts this proxy to these parts of the limits; it may use all of a limit without a part.
   */
  void restrict(Map<Limit, Double> to, long now) {
    if (!parts.equals(to)) {
      parts = Map.copyOf(to);
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
    return most == null ? null : Math.min(most, parts.getOrDefault(limit, most.doubleValue()));
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

  /** Whether rows are limited. */
  boolean countsRows() {
    return rows != null;
  }

  /** Returns the limit that keeps a request out now; null if none does. */
  @Nullable Limit blocked(Line line, long now) {
    if (line == Line.RANGE_READS && rangesUnderWay >= mostRanges) {
      return Limit.RANGE_READS;
    } else if (rows != null && !rows.has(now)) {
      return Limit.ROWS_PER_SECOND;
    }
    return requests != null && !requests.has(now) ? Limit.REQUESTS_PER_SECOND : null;
  }

  /** Begins a request; only while none of the limits keeps it out. */
  void enter(Line line) {
    if (requests != null) {
      requests.take();
    }
    rangesUnderWay += line == Line.RANGE_READS ? 1 : 0;
  }

  /** Ends a request that has returned this number of rows. */
  void leave(Line line, long returned, long now) {
    if (line == Line.RANGE_READS) {
      if (rangesUnderWay == 0) {
        throw new IllegalStateException("no range read is under way");
      }
      rangesUnderWay--;
    }
    if (rows != null && returned > 0) {
      rows.charge((double) returned, now);
    }
  }

  /**
   * Returns in how many ns time alone lets a request begin; {@link Long#MAX_VALUE} if a range read
   * has to end first.
   */
  long nanosUntilFree(Line line, long now) {
    if (line == Line.RANGE_READS && rangesUnderWay >= mostRanges) {
      return Long.MAX_VALUE;
    }
    long forRows = rows == null ? 0 : rows.nanosUntilOne(now);
    long forRequest = requests == null ? 0 : requests.nanosUntilOne(now);
    return Math.max(forRows, forRequest);
  }

  /** Returns the number of range reads in flight. */
  int rangesUnderWay() {
    return rangesUnderWay;
  }

  /** Returns the number of requests that may begin at once; NaN without such a limit. */
  double requestTokens(long now) {
    return requests == null ? Double.NaN : requests.tokens(now);
  }

  /**
   * Returns the number of rows that may be returned at once, below 0 if more were returned; NaN
   * without such a limit.
   */
  double rowTokens(long now) {
    return rows == null ? Double.NaN : rows.tokens(now) - rows.debt(now);
  }
}
