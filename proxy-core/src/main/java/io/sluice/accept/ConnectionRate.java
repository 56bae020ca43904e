package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A limit on the rate at which each address may open connections. A burst may use the connections
 * of ten seconds at once, as when a client with many connections starts. Further connections are
 * refused. Safe for any thread.
 */
final class ConnectionRate {

  /** Seconds whose connections may come in one burst. */
  static final int BURST_SECONDS = 10;

  /** Beyond this number, the address that has opened no connection for longest is forgotten. */
  private static final int MAX_ADDRESSES = 10_000;

  /** Nanoseconds from one connection to the next; 0 for no limit. */
  private final long interval;

  /**
   * For each address, the time at which all its connections would have come at the permitted rate.
   */
  @GuardedBy("this")
  private final Map<String, Long> due = new LinkedHashMap<>();

  /** Creates a limit in connections per second; 0 for no limit. */
  ConnectionRate(int perSecond) {
    interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /**
   * Returns whether {@code address} may open a connection at {@code now}, and counts the connection
   * if so.
   */
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
    if (due.size() > MAX_ADDRESSES) {
      Iterator<String> oldest = due.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }
}
