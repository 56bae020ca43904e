package io.sluice.exchange;

import io.sluice.decide.PriorityClass;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a request under way is subject to.
 *
 * @param requestTimeout until a write or another short request is answered with an error; TRUNCATE
 *     and schema changes have ten minutes, or this if it is longer
 * @param readTimeout until a point read is answered with an error
 * @param rangeTimeout until a range read is answered with an error, or a piece of it asked again
 * @param connectTimeout until a node that takes part in a client's handshake is given up
 * @param hints whether agents in nodes are sent hints
 * @param advertise the address that clients are told to connect to; null for the one they used
 * @param peers the other proxies of this cluster, as clients can reach them
 */
public record ExchangeConfig(
    Duration requestTimeout,
    Duration readTimeout,
    Duration rangeTimeout,
    Duration connectTimeout,
    boolean hints,
    @Nullable InetSocketAddress advertise,
    List<InetSocketAddress> peers) {

  /**
   * For TRUNCATE and schema changes. Cassandra ends a TRUNCATE itself, after 60 s by default; a
   * request whose node hangs ends when its link does.
   */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  public ExchangeConfig {
    peers = List.copyOf(peers);
  }

  /** The deadline of any request but a read. */
  long requestTimeoutNanos(boolean mayTakeLong) {
    Duration longest = requestTimeout.compareTo(LONGEST) > 0 ? requestTimeout : LONGEST;
    return (mayTakeLong ? longest : requestTimeout).toNanos();
  }

  long connectTimeoutNanos() {
    return connectTimeout.toNanos();
  }

  long readTimeoutNanos(PriorityClass priorityClass) {
    return switch (priorityClass) {
      case POINT -> readTimeout.toNanos();
      case RANGE -> rangeTimeout.toNanos();
    };
  }
}
