package io.sluice.memory;

import io.sluice.memory.MemoryAccount.Holder;
import java.util.concurrent.TimeUnit;

/**
 * The bytes in transit between a client and the proxy: responses that wait to be sent, and frames
 * that have not arrived completely. A client that moves them too slowly lags. Not safe for several
 * threads: its client's lane, except {@link #isLagging}.
 */
final class Transfer {

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A client lags when it would need at least this many periods for the bytes that it holds. */
  private static final int PERIODS = 12;

  private final MemoryBudget budget;
  private final Holder holder;
  private volatile boolean lagging;
  private long unread;
  private long taken;
  private long unfinished;

  /**
   * Bytes that moved: responses that the client has taken, and arrived bytes of unfinished frames.
   */
  private long moved;

  private boolean watching;
  private boolean reading = true;
  private boolean closed;

  /** Creates a transfer without bytes. */
  Transfer(MemoryBudget budget, Holder holder) {
    this.budget = budget;
    this.holder = holder;
  }

  /** Returns all bytes. */
  long bytes() {
    return unread + unfinished;
  }

  /** Returns the bytes of responses that wait to be sent. */
  long unread() {
    return unread;
  }

  /**
   * Sets the responses that wait to be sent.
   *
   * @param now the bytes of these responses
   * @param takenSoFar the bytes of all responses that the client has taken
   * @return whether the bytes have changed
   */
  boolean unread(long now, long takenSoFar) {
    moved += Math.max(0, takenSoFar - taken);
    taken = Math.max(taken, takenSoFar);
    boolean changed = now != unread;
    unread = now;
    return changed;
  }

  /** Sets the memory of a frame that has not arrived completely. Returns whether it has changed. */
  boolean unfinished(long now) {
    boolean changed = now != unfinished;
    if (changed) {
      moved += now > unfinished ? now - unfinished : unfinished;
      unfinished = now;
    }
    return changed;
  }

  /**
   * Notes whether the proxy reads from the client. While it does not, no frame can be completed.
   */
  void reading(boolean reads) {
    reading = reads;
  }

  /** Measures from now on whether the client lags, while it holds more than a small client may. */
  void watch() {
    if (bytes() > MemoryBudget.SMALL_BYTES && !watching) {
      watching = true;
      lookAgainAfter(moved);
    }
  }

  private void lookAgainAfter(long movedBefore) {
    holder.lane().schedule(PERIOD_NANOS, () -> look(movedBefore));
  }

  private void look(long movedBefore) {
    if (!closed) {
      holder.recount();
    }
    boolean holds = !closed && bytes() > MemoryBudget.SMALL_BYTES;
    lag(holds && (moved - movedBefore) * PERIODS < unread + (reading ? unfinished : 0));
    watching = holds;
    if (holds) {
      lookAgainAfter(moved);
    }
  }

  private void lag(boolean now) {
    if (now != lagging) {
      lagging = now;
      budget.lagging(now);
    }
  }

  /**
   * Whether the client reads and sends so slowly that the bytes in transit would take a minute or
   * more. May be called from any thread.
   */
  boolean isLagging() {
    return lagging;
  }

  /** Drops all bytes. Called when the connection is closed. */
  void close() {
    closed = true;
    unread = 0;
    unfinished = 0;
    lag(false);
  }
}
