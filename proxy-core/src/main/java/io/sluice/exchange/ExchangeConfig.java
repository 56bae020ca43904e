package io.sluice.exchange;

import io.sluice.decide.PriorityClass;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a request under way is subject to.
 *
 * @param requestTimeout until anything but a read is answered with an error
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

  public ExchangeConfig {
    peers = List.copyOf(peers);
  }

  long requestTimeoutNanos() {
    return requestTimeout.toNanos();
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
