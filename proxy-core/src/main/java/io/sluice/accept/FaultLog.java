package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.memory.OutOfMemory;
import io.sluice.time.NanoClock;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs faults of client connections. A client can cause any number of faults, so each
 * address gets one short line in ten seconds, and each place in the code one stack trace. Lines
 * that are left out are counted in a later line. Safe for any thread.
 */
final class FaultLog {

  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MAX_ADDRESSES = 1_000;
  private static final int MAX_TRACES = 100;
  private static final int MAX_CHARS = 200;

  private final NanoClock clock;
  private final Map<Disconnect, LongAdder> disconnects = new EnumMap<>(Disconnect.class);

  @GuardedBy("this")
  private final Map<String, Pause> pauses = new HashMap<>();

  /** Lines left out since the last line, of addresses that are not in {@link #pauses}. */
  @GuardedBy("this")
  private int leftOutOfOthers;

  @GuardedBy("this")
  private final Set<String> traced = new HashSet<>();

  /** The time of an address's last line, and how many lines were left out since. */
  private static final class Pause {
    private final long since;
    private int leftOut;

    Pause(long since) {
      this.since = since;
    }
  }

  FaultLog(NanoClock clock) {
    this.clock = clock;
    for (Disconnect each : Disconnect.values()) {
      disconnects.put(each, new LongAdder());
    }
  }

  /** Returns how many connections were closed or refused for this reason. */
  long count(Disconnect why) {
    LongAdder adder = disconnects.get(why);
    return adder == null ? 0 : adder.sum();
  }

  /** Logs a client's fault that is no reason for the proxy to close the connection. */
  void refused(@Nullable SocketAddress client, String what) {
    String line = line(host(client), what);
    if (line != null) {
      LOG.info("{}", line);
    }
  }

  /** Counts and logs a connection that is closed, or was not accepted. */
  void disconnected(Disconnect why, @Nullable SocketAddress client, String what) {
    LongAdder adder = disconnects.get(why);
    if (adder != null) {
      adder.increment();
    }
    String line = line(host(client), "closed: " + what);
    if (line != null) {
      LOG.warn("{}", line);
    }
  }

  /**
   * Logs a failure of the proxy itself, with a stack trace the first time for each place in the
   * code.
   */
  void failed(@Nullable SocketAddress client, Throwable cause) {
    OutOfMemory.handOn(cause);
    if (isNew(cause)) {
      LOG.error("Unexpected failure, caused by a request of {}", host(client), cause);
      return;
    }
    String line = line(host(client), "unexpected failure: " + cause);
    if (line != null) {
      LOG.error("{}", line);
    }
  }

  /**
   * Returns the line to log. Null when this address had one less than ten seconds ago, or when too
   * many others had.
   */
  synchronized @Nullable String line(String host, String what) {
    long now = clock.nanoTime();
    Pause last = pauses.get(host);
    if (last != null && now - last.since < PAUSE_NANOS) {
      last.leftOut++;
      return null;
    }
    if (last == null && !hasRoom(now)) {
      leftOutOfOthers++;
      return null;
    }
    pauses.put(host, new Pause(now));
    return "Client " + host + " " + shortened(what) + leftOut(last == null ? 0 : last.leftOut);
  }

  /** Whether one more address can have a line. */
  @GuardedBy("this")
  private boolean hasRoom(long now) {
    if (pauses.size() < MAX_ADDRESSES) {
      return true;
    }
    for (Iterator<Pause> all = pauses.values().iterator(); all.hasNext(); ) {
      Pause next = all.next();
      if (now - next.since >= PAUSE_NANOS) {
        leftOutOfOthers += next.leftOut;
        all.remove();
      }
    }
    return pauses.size() < MAX_ADDRESSES;
  }

  /** Returns the end of a line: how many were left out before it. */
  @GuardedBy("this")
  private String leftOut(int ofThisAddress) {
    StringBuilder more = new StringBuilder();
    if (ofThisAddress > 0) {
      more.append(" (and ").append(ofThisAddress).append(" lines before that were left out)");
    }
    if (leftOutOfOthers > 0) {
      more.append(" (and ")
          .append(leftOutOfOthers)
          .append(" lines of other addresses were left out)");
      leftOutOfOthers = 0;
    }
    return more.toString();
  }

  /**
   * Whether this place in the code fails for the first time; false once many places have failed.
   */
  synchronized boolean isNew(Throwable cause) {
    StackTraceElement[] stack = cause.getStackTrace();
    String place = cause.getClass().getName() + (stack.length == 0 ? "" : " " + stack[0]);
    return traced.size() < MAX_TRACES && traced.add(place);
  }

  private static String host(@Nullable SocketAddress client) {
    return client instanceof InetSocketAddress address
        ? address.getHostString()
        : String.valueOf(client);
  }

  /**
   * Removes control characters and limits the length, as a message may quote the client's bytes.
   */
  private static String shortened(String what) {
    String one = what.replaceAll("\\p{Cntrl}+", " ");
    return one.length() <= MAX_CHARS ? one : one.substring(0, MAX_CHARS) + "…";
  }
}
