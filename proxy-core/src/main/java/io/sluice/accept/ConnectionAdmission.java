package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The admission of new connections, by the rate of their address and the number of all. Safe for
 * any thread.
 */
final class ConnectionAdmission {

  private final ListenConfig config;
  private final FaultLog faults;
  private final NanoClock clock;
  private final Places places;
  private final ConnectionRate rate;

  /** Creates an admission for a port without connections. */
  ConnectionAdmission(ListenConfig config, FaultLog faults, NanoClock clock) {
    this.config = config;
    this.faults = faults;
    this.clock = clock;
    this.places = new Places(config.maxConnections());
    this.rate = new ConnectionRate(config.connectionsPerSecond());
  }

  /**
   * Admits a new connection, which keeps its place until it is closed. Returns null when it is
   * refused; it is logged and closed then.
   *
   * @param origin the origin to which limits per address apply
   */
  Places.@Nullable Place admit(Channel channel, String origin) {
    if (!rate.take(origin, clock.nanoTime())) {
      refuse(
          channel,
          Disconnect.RATE,
          "more than %d connections a second from one address (cql.connectionsPerSecond)"
              .formatted(config.connectionsPerSecond()));
      return null;
    }
    Places.Place place = places.take(origin);
    if (place == null) {
      refuse(
          channel,
          Disconnect.PLACES,
          "no place for another connection (cql.maxConnections is %d, and one address may"
                  .formatted(config.maxConnections())
              + " take half of what is free before login)");
      return null;
    }
    channel.closeFuture().addListener(closed -> place.leave());
    return place;
  }

  private void refuse(Channel channel, Disconnect why, String reason) {
    faults.disconnected(why, channel.remoteAddress(), reason);
    channel.close();
  }
}
