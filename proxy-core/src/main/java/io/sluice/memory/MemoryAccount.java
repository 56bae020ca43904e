package io.sluice.memory;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The account of the bytes that the proxy holds for one client. Changed on the client's lane only.
 * {@link MemoryBudget} reads it from any thread.
 */
public final class MemoryAccount {

  /** The time after which the unanswered requests of a disconnected client no longer count. */
  private static final long LAST_ANSWER_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The connection that the account belongs to. */
  public interface Holder {

    Lane lane();

    /** Counts the unread and unfinished bytes again. Called on the lane. */
    void recount();

    /**
     * Disconnects the client because memory is short and the client holds {@code bytes}. May be
     * called from any thread.
     */
    void evict(long bytes);
  }

  private final MemoryBudget budget;
  private final MemoryCount count;
  private final Holder holder;
  private final Transfer transfer;
  private final LoginBytes login;
  private volatile long freedByClosing;
  private volatile boolean evicted;
  private long requests;
  private long buffered;
  private boolean forgotten;

  MemoryAccount(MemoryBudget budget, Holder holder) {
    this.budget = budget;
    this.count = new MemoryCount(budget::add);
    this.holder = holder;
    this.transfer = new Transfer(budget, holder);
    this.login = new LoginBytes(budget::loggingIn);
  }

  /** Exempts the client from the limit of connections before login. */
  public void loggedIn() {
    login.end();
    update();
  }

  /** Counts the bytes of a request; negative when the request is answered. */
  public void requests(long bytes) {
    if (!forgotten) {
      requests += bytes;
      update();
    }
  }

  /**
   * Counts parsed statements and buffered answers of requests in flight; negative when they are
   * released.
   */
  public void buffered(long bytes) {
    if (!forgotten) {
      buffered += bytes;
      update();
    }
  }

  /**
   * Notes whether the proxy reads from the client. While it does not, no frame can be completed.
   */
  public void reading(boolean reads) {
    transfer.reading(reads);
  }

  /**
   * Sets the responses that wait to be sent.
   *
   * @param now the bytes of these responses
   * @param takenSoFar the bytes of all responses that the client has taken
   */
  public void unread(long now, long takenSoFar) {
    if (transfer.unread(now, takenSoFar)) {
      update();
    }
  }

  /** Sets the memory of a frame that has not arrived completely. */
  public void unfinished(long now) {
    if (transfer.unfinished(now)) {
      update();
    }
  }

  /**
   * Whether the client holds more than its share, and some of it will be released by a response.
   */
  public boolean isOverShare() {
    return requests + buffered + transfer.unread() > 0
        && held() > MemoryBudget.SMALL_BYTES
        && held() > budget.share();
  }

  /**
   * Whether memory is filling. Range reads of a client with more than {@link
   * MemoryBudget#SMALL_BYTES} unread wait then until the client has read. Called on the client's
   * lane.
   */
  public boolean isFilling() {
    return budget.isFilling();
  }

  /**
   * Returns the reason why range reads of this client are refused now; null while they are not.
   * Memory is filling then, and this client is one of the largest. Called on the client's lane.
   */
  public @Nullable String rangeRefusal() {
    long holds = buffered + transfer.unread();
    long most = Math.max(MemoryBudget.SMALL_BYTES, budget.share() / 2);
    return budget.isFilling() && holds > most
        ? ("Memory is short: this connection holds %d bytes of long statements and of unread and"
                + " unfinished answers, and range reads are refused above %d now"
                + " (cql.maxMemoryPercent)")
            .formatted(holds, most)
        : null;
  }

  /** Returns the bytes that a client may hold at present. May be called from any thread. */
  public long share() {
    return budget.share();
  }

  /** Returns the bytes that disconnecting the client would free. */
  long freedByClosing() {
    return evicted ? 0 : freedByClosing;
  }

  /** Returns all bytes that the proxy holds for the client. Called on the client's lane. */
  public long held() {
    return requests + buffered + transfer.bytes();
  }

  /**
   * Whether the client reads and sends so slowly that the bytes it holds would take a minute or
   * more.
   */
  boolean isLagging() {
    return transfer.isLagging();
  }

  /**
   * Disconnects the client. Called by the budget, once. The freed bytes no longer count from here
   * on.
   */
  void evict() {
    long bytes = freedByClosing;
    evicted = true;
    budget.add(-bytes);
    holder.lane().execute(() -> settle(bytes));
    holder.evict(bytes);
  }

  /**
   * Corrects the count, so that bytes given back in advance are not given back again when they are
   * freed.
   */
  private void settle(long bytes) {
    count.returned(bytes);
    update();
  }

  private void update() {
    // A request before login ends with its connection, a later one with the answer of a node.
    long closing = transfer.bytes() + (login.isOver() ? 0 : requests);
    freedByClosing = closing;
    count.holds(held() - (evicted ? closing : 0));
    transfer.watch();
    // Above the limit of connections before login, each may hold only what a login needs.
    if (!login.fits(closing) && closing > MemoryBudget.LOGIN_BYTES && !evicted) {
      evict();
    }
  }

  /**
   * Releases all bytes except those of requests after login that are in flight. Called when the
   * connection is closed.
   */
  public void close() {
    transfer.close();
    if (login.isOver()) {
      update();
    } else {
      forget();
    }
    budget.closed(this);
    if (requests + buffered > 0) {
      holder.lane().schedule(LAST_ANSWER_NANOS, this::forget);
    }
  }

  private void forget() {
    requests = 0;
    buffered = 0;
    forgotten = true;
    update();
  }
}
