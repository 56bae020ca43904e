package io.sluice.memory;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one client makes the proxy hold. Changed on the client's lane only; {@link
 * MemoryBudget} reads it from any thread.
 */
public final class MemoryAccount {

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A client that would need this many periods for what it holds, or more, lags. */
  private static final int PERIODS = 12;

  /** Requests of a client that is gone count until they are answered, but not longer. */
  private static final long LAST_ANSWER_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The connection whose account it is. */
  public interface Holder {

    Lane lane();

    /** Counts anew what is unread and unfinished; on the lane. */
    void recount();

    /** Disconnects the client, which holds {@code bytes} too many; any thread. */
    void evict(long bytes);
  }

  private final MemoryBudget budget;
  private final MemoryCount count;
  private final Holder holder;

  private volatile long freedByClosing;
  private volatile boolean lagging;
  private volatile boolean evicted;

  private long requests;
  private long buffered;
  private long unread;
  private long taken;
  private long unfinished;

  /** Bytes that moved: answers that the client took, and what arrived of unfinished frames. */
  private long moved;

  /** What counts as that of a connection before its login; 0 after that. */
  private long loggingIn;

  private boolean loggedIn;
  private boolean watching;
  private boolean reading = true;
  private boolean closed;
  private boolean forgotten;

  MemoryAccount(MemoryBudget budget, Holder holder) {
    this.budget = budget;
    this.count = new MemoryCount(budget);
    this.holder = holder;
  }

  /** The client has logged in. */
  public void loggedIn() {
    budget.loggingIn(-loggingIn);
    loggingIn = 0;
    loggedIn = true;
  }

  /** A request arrived, or was answered. */
  public void requests(long bytes) {
    if (!forgotten) {
      requests += bytes;
      tell();
    }
  }

  /** Answers for range reads under way were buffered, or given back when negative. */
  public void buffered(long bytes) {
    if (!forgotten) {
      buffered += bytes;
      tell();
    }
  }

  /** Whether the proxy reads from the client; while it does not, no frame can be finished. */
  public void reading(boolean reads) {
    reading = reads;
  }

  /**
   * Answers that wait to be sent.
   *
   * @param now bytes of them
   * @param takenSoFar bytes of all answers that the client has taken
   */
  public void unread(long now, long takenSoFar) {
    moved += Math.max(0, takenSoFar - taken);
    taken = Math.max(taken, takenSoFar);
    if (now != unread) {
      unread = now;
      tell();
    }
  }

  /** The memory of a frame that has not arrived whole. */
  public void unfinished(long now) {
    if (now != unfinished) {
      moved += now > unfinished ? now - unfinished : unfinished;
      unfinished = now;
      tell();
    }
  }

  /** Whether the client holds more than its share, and has something to wait for. */
  public boolean isOverShare() {
    long waitedFor = requests + buffered + unread;
    return waitedFor > 0
        && waitedFor + unfinished > MemoryBudget.SMALL_BYTES
        && waitedFor + unfinished > budget.share();
  }

  /**
   * Whether memory is filling, so that range reads of a client that has more than {@link
   * MemoryBudget#SMALL_BYTES} unread are to wait until it has read; on the client's lane.
   */
  public boolean isFilling() {
    return budget.isFilling();
  }

  /**
   * The reason why range reads of this client are refused now: memory is filling, and this client
   * is one of the largest. Null while they are not refused; on its lane.
   */
  public @Nullable String rangeRefusal() {
    long holds = buffered + unread;
    long most = Math.max(MemoryBudget.SMALL_BYTES, budget.share() / 2);
    return budget.isFilling() && holds > most
        ? ("Memory is short: this connection holds %d bytes of unread and unfinished answers, and"
                + " range reads are refused above %d now (cql.maxMemoryPercent)")
            .formatted(holds, most)
        : null;
  }

  /** The bytes that a client may hold at present; any thread. */
  public long share() {
    return budget.share();
  }

  /** Bytes that would be free if the client were disconnected. */
  long freedByClosing() {
    return evicted ? 0 : freedByClosing;
  }

  /** All bytes that the proxy holds for the client; on its lane. */
  public long held() {
    return requests + buffered + unread + unfinished;
  }

  /** Whether it moves so little that what it holds would take a minute or more. */
  boolean isLagging() {
    return lagging;
  }

  /** Called by the budget, once; from here on what would be freed is not counted. */
  void evict() {
    long bytes = freedByClosing;
    evicted = true;
    budget.add(-bytes);
    holder.lane().execute(() -> settle(bytes));
    holder.evict(bytes);
  }

  /** What was given back in advance is not given back again when it is really freed. */
  private void settle(long bytes) {
    count.returned(bytes);
    tell();
  }

  private void tell() {
    long closing = unread + unfinished;
    freedByClosing = closing;
    count.holds(requests + buffered + (evicted ? 0 : closing));
    if (closing > MemoryBudget.SMALL_BYTES && !watching) {
      watching = true;
      lookAgainAfter(moved);
    }
    if (!loggedIn) {
      countLogin(closing);
    }
  }

  /** All that log in have a part of the memory, beyond which each may hold a login's bytes. */
  private void countLogin(long bytes) {
    boolean fits = budget.loggingIn(bytes - loggingIn);
    loggingIn = bytes;
    if (!fits && bytes > MemoryBudget.LOGIN_BYTES && !evicted) {
      evict();
    }
  }

  private void lookAgainAfter(long movedBefore) {
    holder.lane().schedule(PERIOD_NANOS, () -> look(movedBefore));
  }

  private void look(long movedBefore) {
    if (!closed) {
      holder.recount();
    }
    long closing = unread + unfinished;
    boolean holds = !closed && closing > MemoryBudget.SMALL_BYTES;
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

  /** The connection is gone, and with it all but what requests still in flight hold. */
  public void close() {
    closed = true;
    unread = 0;
    unfinished = 0;
    lag(false);
    tell();
    budget.closed(this);
    if (requests + buffered > 0) {
      holder.lane().schedule(LAST_ANSWER_NANOS, this::forget);
    }
  }

  private void forget() {
    requests = 0;
    buffered = 0;
    forgotten = true;
    tell();
  }
}
