package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.memory.OutOfMemory;
import io.sluice.time.NanoClock;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs faults of client connections. A client can cause any number of faults, so each
 * address gets one short line in ten seconds, and each place in the code one stack trace. Safe for
 * any thread.
 */
final class FaultLog {

  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_ADDRESSES = 1_000;
  private static final int MOST_TRACES = 100;
  private static final int MOST_CHARS = 200;

  private final NanoClock clock;
  private final Map<Disconnect, LongAdder> disconnects = new EnumMap<>(Disconnect.class);

  @GuardedBy("this")
  private final Map<String, Pause> pauses = new HashMap<>();

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

  /** Returns the line to log; null when this address had one less than ten seconds ago. */
  @Nullable String line(String host, String what) {
    int leftOut = leftOut(host);
    if (leftOut < 0) {
      return null;
    }
    String more = leftOut == 0 ? "" : " (and " + leftOut + " lines before that were left out)";
    return "Client " + host + " " + shortened(what) + more;
  }

  /**
   * Returns how many lines were left out since the last one; −1 when this one is to be left out
   * too.
   */
  private synchronized int leftOut(String host) {
    long now = clock.nanoTime();
    Pause last = pauses.get(host);
    if (last != null && now - last.since < PAUSE_NANOS) {
      last.leftOut++;
      return -1;
    }
    if (last == null && pauses.size() >= MOST_ADDRESSES) {
      pauses.values().removeIf(pause -> now - pause.since >= PAUSE_NANOS);
      if (pauses.size() >= MOST_ADDRESSES) {
        return -1;
      }
    }
    pauses.put(host, new Pause(now));
    return last == null ? 0 : last.leftOut;
  }

  /**
   * Whether this place in the code fails for the first time; false once many places have failed.
   */
  synchronized boolean isNew(Throwable cause) {
    StackTraceElement[] stack = cause.getStackTrace();
    String place = cause.getClass().getName() + (stack.length == 0 ? "" : " " + stack[0]);
    return traced.size() < MOST_TRACES && traced.add(place);
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
    return one.length() <= MOST_CHARS ? one : one.substring(0, MOST_CHARS) + "…";
  }
}
