package io.sluice.exchange;

import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.fleet.Homes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that apply to a request in flight.
 *
 * @param requestTimeout timeout of writes and other short requests; null to derive it from the
 *     configuration of the nodes
 * @param scheduling the mode, and the timeouts of reads
 * @param connectTimeout time after which a client's handshake goes on at another node
 * @param hints whether agents in nodes get hints
 * @param advertise the address that clients are told to connect to; null for the one they used
 * @param peers the other proxies of this cluster, as clients can reach them
 * @param homes the proxies at which range reads wait
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

  /** Creates settings by which all range reads wait at this proxy. */
  public ExchangeConfig(
      @Nullable Duration requestTimeout,
      SchedulingConfig scheduling,
      Duration connectTimeout,
      boolean hints,
      @Nullable InetSocketAddress advertise,
      List<InetSocketAddress> peers) {
    this(requestTimeout, scheduling, connectTimeout, hints, advertise, peers, Homes.NONE);
  }

  /** Returns these settings with the fleet of {@code other}: the fleet is no setting. */
  public ExchangeConfig inFleetOf(ExchangeConfig other) {
    return new ExchangeConfig(
        requestTimeout,
        scheduling,
        connectTimeout,
        hints,
        other.advertise,
        other.peers,
        other.homes);
  }

  /** Returns these settings with other home proxies. */
  public ExchangeConfig withHomes(Homes present) {
    return new ExchangeConfig(
        requestTimeout, scheduling, connectTimeout, hints, advertise, peers, present);
  }

  /** Whether the proxy only forwards requests: it queues, splits and extends none. */
  public boolean onlyPasses() {
    return scheduling.mode() == SchedulingConfig.Mode.PASSTHROUGH;
  }

  /** Returns these settings with other peers. */
  public ExchangeConfig withPeers(List<InetSocketAddress> present) {
    return new ExchangeConfig(
        requestTimeout, scheduling, connectTimeout, hints, advertise, present, homes);
  }

  long connectTimeoutNanos() {
    return connectTimeout.toNanos();
  }
}
