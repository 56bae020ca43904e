package io.sluice.decide.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The waits of the reads of one rank that wait for the same slots of one node: how long recent
 * reads did wait, and how long one more has to expect. Times are in ns. Not safe for several
 * threads.
 */
final class WaitStats {
  /** The longest wait of recently started reads. */
  private static final class Longest {
    private long wait;
    private long at;

    void start(long waited, long now) {
      if (waited >= nanos(now)) {
        wait = waited;
        at = now;
      }
    }

    /** Returns the wait less the time since the start. */
    long nanos(long now) {
      return Math.max(0, wait - (now - at));
    }
  }

  private final DrainRate drain = new DrainRate();
  private @Nullable QueueEntry oldest;
  private @Nullable QueueEntry youngest;
  private int queued;

  /** The number of reads that wait, by the number of their tenant. */
  private int[] queuedOf = new int[16];

  /** The number of tenants with reads that wait. */
  private int tenants;

  private final Longest longest = new Longest();
  private final Longest longestPoint = new Longest();

  /** Returns the number of reads that wait. */
  int queued() {
    return queued;
  }

  /**
   * Whether a tenant has at least an equal part of the reads that wait, so that its next read has
   * to expect at least the mean wait. A lone tenant has.
   */
  boolean hasEqualPart(int tenant) {
    int own = tenant >= 0 && tenant < queuedOf.length ? queuedOf[tenant] : 0;
    return (long) own * tenants >= queued;
  }

  /** Returns the wait that one more read has to expect, ns; 0 while it is unknown. */
  double expectedWaitNanos(long now) {
    return drain.waitNanos(queued + 1, now);
  }

  /**
   * Returns the longest recent wait, ns: that of the oldest queued read, or of a read started
   * recently. The latter is reduced by the time since that start, because the queue may be shorter
   * by now.
   */
  long longestWaitNanos(long now) {
    return Math.max(longest.nanos(now), oldestWaitNanos(now));
  }

  /**
   * Returns the longest recent wait of a point read, ns. A queued one counts if it is the oldest
   * read of all.
   */
  long longestPointWaitNanos(long now) {
    long queuedFor = oldest == null || !oldest.isPoint() ? 0 : oldest.waitedNanos(now);
    return Math.max(longestPoint.nanos(now), queuedFor);
  }

  /** Returns how long the oldest queued read has waited, ns; 0 without one. */
  long oldestWaitNanos(long now) {
    return oldest == null ? 0 : oldest.waitedNanos(now);
  }

  /**
   * Counts a read as queued by its tenant. A read that moves here, or is put back, goes first if it
   * is the oldest and last otherwise. So it may have waited longer than the reads before it, until
   * these have left.
   */
  void enter(QueueEntry entry, long now) {
    drain.entered(now);
    entry.expectedNanos = (long) drain.waitNanos(queued + 1, now);
    queued++;
    count(entry.tenant);
    QueueEntry first = oldest;
    if (first == null || entry.submittedNanos < first.submittedNanos) {
      link(null, entry, first);
    } else {
      link(youngest, entry, null);
    }
  }

  private void count(int tenant) {
    if (tenant >= queuedOf.length) {
      queuedOf = Arrays.copyOf(queuedOf, 2 * tenant);
    }
    if (queuedOf[tenant]++ == 0) {
      tenants++;
    }
  }

  /** Counts a read as no longer queued, for whatever reason, while it has its tenant. */
  void leave(QueueEntry entry, long now) {
    queued--;
    if (--queuedOf[entry.tenant] == 0) {
      tenants--;
    }
    join(entry.older, entry.younger);
    entry.older = null;
    entry.younger = null;
    drain.left(queued > 0, now);
  }

  private void link(@Nullable QueueEntry older, QueueEntry entry, @Nullable QueueEntry younger) {
    join(older, entry);
    join(entry, younger);
  }

  /** Links two neighbours. Null is the end of the list. */
  private void join(@Nullable QueueEntry older, @Nullable QueueEntry younger) {
    if (older == null) {
      oldest = younger;
    } else {
      older.younger = younger;
    }
    if (younger == null) {
      youngest = older;
    } else {
      younger.older = older;
    }
  }

  /** Counts the start of a read, which may not have waited. */
  void start(QueueEntry entry, long now) {
    long waited = entry.waitedNanos(now);
    longest.start(waited, now);
    if (entry.isPoint()) {
      longestPoint.start(waited, now);
    }
  }
}
