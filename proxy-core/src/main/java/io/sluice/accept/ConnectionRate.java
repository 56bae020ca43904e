package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The rate at which each address may open connections. Those of ten seconds may come together, as
 * when a client with many connections starts; what is above that is refused. Safe for any thread.
 */
final class ConnectionRate {

  /** So many seconds' worth of connections may come at once. */
  static final int BURST_SECONDS = 10;

  /** Of further addresses, those are forgotten that have opened no connection for longest. */
  private static final int MOST_ADDRESSES = 10_000;

  /** From one connection to the next; 0 for no limit. */
  private final long interval;

  /** For each address, when all its connections would have come at the rate. */
  @GuardedBy("this")
  private final Map<String, Long> due = new LinkedHashMap<>();

  /** A rate in connections a second; 0 for no limit. */
  ConnectionRate(int perSecond) {
    interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Whether {@code address} may open a connection at {@code now}, which then counts. */
  synchronized boolean take(String address, long now) {
    if (interval == 0) {
      return true;
    }
    Long known = due.get(address);
    long begin = known == null || known - now < 0 ? now : known;
    if (begin - now > TimeUnit.SECONDS.toNanos(BURST_SECONDS) - interval) {
      return false;
    }
    due.remove(address);
    due.put(address, begin + interval);
    if (due.size() > MOST_ADDRESSES) {
      Iterator<String> oldest = due.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }
}
