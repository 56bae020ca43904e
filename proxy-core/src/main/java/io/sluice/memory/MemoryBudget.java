package io.sluice.memory;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that all clients together make the proxy hold: requests in flight, answers that arrive
 * from nodes, answers buffered for range reads, answers that wait to be sent, and frames that have
 * not arrived whole. One client's share is half of what is free, so the greediest are slowed first
 * and small clients never. From half of the limit on range reads share no scans and buffer nothing
 * ahead, from five eighths on those of clients that do not read wait or are refused. From three
 * quarters on the largest client that makes no headway is disconnected; at the limit, the largest.
 * Clients that have not logged in hold an eighth of the limit at most. Safe for any thread.
 */
public final class MemoryBudget {

  /** No client is slowed or disconnected for less. */
  public static final long SMALL_BYTES = 64 * 1024;

  /** No client that has not logged in is disconnected for less: a login needs no more. */
  public static final long LOGIN_BYTES = 4 * 1024;

  private final long limit;
  private final long roomyUpTo;
  private final long fillingFrom;
  private final long shortFrom;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong loggingIn = new AtomicLong();
  private final AtomicInteger lagging = new AtomicInteger();
  private final AtomicBoolean relieving = new AtomicBoolean();
  private final Set<MemoryAccount> accounts = ConcurrentHashMap.newKeySet();

  /** The bytes at the last look that found no client to disconnect; 0 when that is over. */
  private volatile long inVainAt;

  /**
   * Opens it.
   *
   * @param limit bytes for all clients; above 0
   */
  public MemoryBudget(long limit) {
    this.limit = limit;
    this.roomyUpTo = limit / 2;
    this.fillingFrom = roomyUpTo + limit / 8;
    this.shortFrom = limit - limit / 4;
  }

  /** A budget that is never exhausted. */
  public static MemoryBudget unlimited() {
    return new MemoryBudget(Long.MAX_VALUE / 2);
  }

  /**
   * Counts what no single client holds, such as answers that arrive on a link.
   *
   * @return is told the bytes that its holder has now, on the holder's lane only, and 0 at the end
   */
  public LongConsumer count() {
    return new MemoryCount(this)::holds;
  }

  /**
   * How many TLS handshakes may be under way: they take an eighth of the limit at most.
   *
   * @param bytes the memory of one
   */
  public int handshakes(long bytes) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, limit / 8 / bytes));
  }

  /** The account of a new client; {@link MemoryAccount#close} ends it. */
  public MemoryAccount open(MemoryAccount.Holder holder) {
    MemoryAccount account = new MemoryAccount(this, holder);
    accounts.add(account);
    return account;
  }

  /** Bytes held for all clients; at least 0. */
  public long used() {
    return Math.max(0, used.get());
  }

  /** Whether no more than half is held: what could wait need not. */
  public boolean isRoomy() {
    return used.get() <= roomyUpTo;
  }

  /** Whether so much is held that range reads of clients that do not read are held back. */
  boolean isFilling() {
    return used.get() > fillingFrom;
  }

  /** What one client may hold at present, in bytes. */
  long share() {
    return Math.max(SMALL_BYTES, (limit - used.get()) / 2);
  }

  /**
   * Connections that have not logged in hold so much more.
   *
   * @return whether all of them hold no more than an eighth of the limit
   */
  boolean loggingIn(long bytes) {
    return loggingIn.addAndGet(bytes) <= limit / 8;
  }

  void add(long bytes) {
    long now = used.addAndGet(bytes);
    if (bytes > 0 && now > shortFrom) {
      relieve();
    } else if (now <= shortFrom) {
      inVainAt = 0;
    }
  }

  /** A client began or ceased to lag. */
  void lagging(boolean lags) {
    lagging.addAndGet(lags ? 1 : -1);
    if (lags && used.get() > shortFrom) {
      relieve();
    }
  }

  void closed(MemoryAccount account) {
    accounts.remove(account);
  }

  /** Disconnects clients, one after another until memory is enough. */
  private void relieve() {
    if (!isWorthALook() || !relieving.compareAndSet(false, true)) {
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

  private boolean isWorthALook() {
    return lagging.get() > 0 || used.get() > Math.max(limit, inVainAt + limit / 64);
  }

  /** The next client to be disconnected, or null when there is no need or none. */
  private @Nullable MemoryAccount next() {
    long now = used.get();
    if (now <= shortFrom) {
      return null;
    }
    MemoryAccount next = largest(MemoryAccount::isLagging);
    if (next == null && now > limit) {
      next = largest(account -> true);
      inVainAt = next == null ? now : 0;
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
