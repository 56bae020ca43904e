package io.sluice.memory;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory limit of the proxy for the work of all clients: requests in flight with what was
 * parsed from them, abandoned requests that nodes have not read, answers that arrive from nodes,
 * answers buffered for range reads, responses that wait to be sent, and unfinished frames. The
 * share of one client is half of the free bytes, so the largest clients are slowed first and small
 * ones never. Above half of the limit, range reads share no scans and buffer nothing ahead. Above
 * five eighths, range reads of clients that do not read wait or are refused. Above three quarters,
 * the largest lagging client is disconnected; above fifteen sixteenths, the largest client. The
 * rest is for what arrives until the memory of that client is free. Clients before login hold at
 * most an eighth of the limit, or {@link #LOGIN_BYTES} each if that is more.
 *
 * <p>A large answer that begins to arrive is refused if it needs more than half of the limit, or
 * would leave less than a quarter free. Above that, such answers together have another eighth. Safe
 * for any thread.
 */
public final class MemoryBudget {

  /** A client that holds no more than this is neither slowed nor disconnected. */
  public static final long SMALL_BYTES = 64 * 1024;

  /**
   * A client before login that holds no more than this is not disconnected. A login needs no more.
   */
  public static final long LOGIN_BYTES = 1024;

  private final long limit;
  private final LongSupplier unallocated;
  private final long roomyUpTo;
  private final long fillingFrom;
  private final long shortFrom;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong loggingIn = new AtomicLong();

  /** Bytes of arriving answers that were not free; also counted as used. */
  private final AtomicLong reserve = new AtomicLong();

  private final AtomicInteger lagging = new AtomicInteger();
  private final AtomicBoolean relieving = new AtomicBoolean();
  private final Set<MemoryAccount> accounts = ConcurrentHashMap.newKeySet();

  /** Bytes in use when the last search found no client to disconnect; 0 after usage has fallen. */
  private volatile long usedAtVainSearch;

  /**
   * Creates a budget in a process with enough memory.
   *
   * @param limit the bytes for all clients; above 0
   */
  public MemoryBudget(long limit) {
    this(limit, () -> Long.MAX_VALUE);
  }

  /**
   * Creates a budget.
   *
   * @param limit the bytes for all clients; above 0
   * @param unallocated returns the bytes that the process can still allocate for buffers; called by
   *     any thread
   */
  public MemoryBudget(long limit, LongSupplier unallocated) {
    this.limit = limit;
    this.unallocated = unallocated;
    this.roomyUpTo = limit / 2;
    this.fillingFrom = roomyUpTo + limit / 8;
    this.shortFrom = limit - limit / 4;
  }

  /** Creates a budget that is never exhausted. */
  public static MemoryBudget unlimited() {
    return new MemoryBudget(Long.MAX_VALUE / 2);
  }

  /**
   * Creates a count for memory that belongs to no single client, such as requests that were given
   * up.
   *
   * @return a consumer of the holder's present bytes, called on the holder's lane only, and with 0
   *     at the end
   */
  public LongConsumer count() {
    return new MemoryCount(this::add)::holds;
  }

  /** Returns the most bytes that one arriving answer may have. */
  long mostOfAnswer() {
    return limit / 2;
  }

  /**
   * Adds the bytes of an answer, unless less than a quarter of the limit would be free, or the
   * process has too little memory: an answer exists twice while it is compressed for its client.
   *
   * @return whether the bytes were added
   */
  boolean takeFree(long bytes) {
    long now = used.get();
    while (bytes <= mostOfAnswer() && now + bytes <= shortFrom && isAllocatable(bytes)) {
      if (used.compareAndSet(now, now + bytes)) {
        return true;
      }
      now = used.get();
    }
    return false;
  }

  private boolean isAllocatable(long bytes) {
    return bytes <= limit / 8 || bytes <= unallocated.getAsLong() / 2;
  }

  /**
   * Adds the bytes of an answer that are not free. Such answers have at most an eighth of the
   * limit, so that answers of usual sizes arrive while clients hold the rest.
   *
   * @return whether the bytes were added; {@link #returnReserve} removes them
   */
  boolean takeReserve(long bytes) {
    long now = reserve.get();
    while (now + bytes <= limit / 8) {
      if (reserve.compareAndSet(now, now + bytes)) {
        add(bytes);
        return true;
      }
      now = reserve.get();
    }
    return false;
  }

  void returnReserve(long bytes) {
    reserve.addAndGet(-bytes);
    add(-bytes);
  }

  /**
   * Returns how many TLS connections may be before login at once. Together they use at most an
   * eighth of the limit.
   *
   * @param bytes the memory of one such connection
   */
  public int handshakes(long bytes) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, limit / 8 / bytes));
  }

  /** Opens the account of a new client. {@link MemoryAccount#close} ends it. */
  public MemoryAccount open(MemoryAccount.Holder holder) {
    MemoryAccount account = new MemoryAccount(this, holder);
    accounts.add(account);
    return account;
  }

  /** Returns the bytes held for all clients; at least 0. */
  public long used() {
    return Math.max(0, used.get());
  }

  /** Whether at most half of the limit is held, so that optional buffering is allowed. */
  public boolean isRoomy() {
    return used.get() <= roomyUpTo;
  }

  /** Whether so much is held that range reads of clients that do not read are held back. */
  boolean isFilling() {
    return used.get() > fillingFrom;
  }

  /** Returns the bytes that one client may hold at present. */
  long share() {
    return Math.max(SMALL_BYTES, (limit - used.get()) / 2);
  }

  /**
   * Adds to the bytes of connections before login.
   *
   * @return whether these connections together hold at most an eighth of the limit
   */
  boolean loggingIn(long bytes) {
    return loggingIn.addAndGet(bytes) <= limit / 8;
  }

  void add(long bytes) {
    long now = used.addAndGet(bytes);
    if (bytes > 0 && now > shortFrom) {
      relieve();
    } else if (now <= shortFrom) {
      usedAtVainSearch = 0;
    }
  }

  /** Counts a client that begins or ceases to lag. */
  void lagging(boolean lags) {
    lagging.addAndGet(lags ? 1 : -1);
    if (lags && used.get() > shortFrom) {
      relieve();
    }
  }

  void closed(MemoryAccount account) {
    accounts.remove(account);
  }

  /** Disconnects clients, one after another, until enough memory is free. */
  private void relieve() {
    if (!isWorthASearch() || !relieving.compareAndSet(false, true)) {
      return;
    }
    try {
      for (MemoryAccount next = next(); next != null; next = next()) {
        next.evict();
      }
    } finally {
      relieving.set(false);
    }
  }

  private boolean isWorthASearch() {
    return lagging.get() > 0 || used.get() > Math.max(fullFrom(), usedAtVainSearch + limit / 64);
  }

  private long fullFrom() {
    return limit - limit / 16;
  }

  /** Returns the next client to disconnect, or null when there is no need or no such client. */
  private @Nullable MemoryAccount next() {
    long now = used.get();
    if (now <= shortFrom) {
      return null;
    }
    MemoryAccount next = largest(MemoryAccount::isLagging);
    if (next == null && now > fullFrom()) {
      next = largest(account -> true);
      usedAtVainSearch = next == null ? now : 0;
    }
    return next;
  }

  private @Nullable MemoryAccount largest(Predicate<MemoryAccount> which) {
    return accounts.stream()
        .filter(which)
        .filter(account -> account.freedByClosing() > SMALL_BYTES)
        .max(Comparator.comparingLong(MemoryAccount::freedByClosing))
        .orElse(null);
  }
}
