package io.sluice.exchange;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.fleet.Homes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a request under way is subject to.
 *
 * @param requestTimeout until a write or another short request is answered with an error; null for
 *     what the nodes are configured to
 * @param scheduling the time-outs of reads
 * @param connectTimeout until a node that takes part in a client's handshake is given up
 * @param hints whether agents in nodes are sent hints
 * @param advertise the address that clients are told to connect to; null for the one they used
 * @param peers the other proxies of this cluster, as clients can reach them
 * @param homes those of them at which range reads wait
 */
public record ExchangeConfig(
    @Nullable Duration requestTimeout,
    SchedulingConfig scheduling,
    Duration connectTimeout,
    boolean hints,
    @Nullable InetSocketAddress advertise,
    List<InetSocketAddress> peers,
    Homes homes) {

  public ExchangeConfig {
    peers = List.copyOf(peers);
  }

  /** Range reads wait here. */
  public ExchangeConfig(
      @Nullable Duration requestTimeout,
      SchedulingConfig scheduling,
      Duration connectTimeout,
      boolean hints,
      @Nullable InetSocketAddress advertise,
      List<InetSocketAddress> peers) {
    this(requestTimeout, scheduling, connectTimeout, hints, advertise, peers, Homes.NONE);
  }

  /** The same with the fleet of another one: which proxies there are is no setting. */
  public ExchangeConfig inFleetOf(ExchangeConfig other) {
    return withPeers(other.peers).withHomes(other.homes);
  }

  /** The same with other homes. */
  public ExchangeConfig withHomes(Homes present) {
    return new ExchangeConfig(
        requestTimeout, scheduling, connectTimeout, hints, advertise, peers, present);
  }

  /** Whether requests are only handed on: nothing is held back, cut into pieces or added to. */
  public boolean onlyPasses() {
    return scheduling.mode() == SchedulingConfig.Mode.PASSTHROUGH;
  }

  /** The same with other proxies beside this one. */
  public ExchangeConfig withPeers(List<InetSocketAddress> present) {
    return new ExchangeConfig(
        requestTimeout, scheduling, connectTimeout, hints, advertise, present, homes);
  }

  long connectTimeoutNanos() {
    return connectTimeout.toNanos();
  }
}
