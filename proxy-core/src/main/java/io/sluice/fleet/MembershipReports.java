package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each change of a {@link Membership} once, to the log or to a listener. Not safe for
 * several threads.
 */
final class MembershipReports {

  private static final Logger LOG = LoggerFactory.getLogger(MembershipReports.class);

  private final UUID self;
  private final @Nullable UUID secret;
  private final String address;
  private final Consumer<Set<InetSocketAddress>> aliveListener;
  private final Homes.@Nullable Listener homesListener;

  private final Set<UUID> duplicates = new HashSet<>();
  private Membership.State state = Membership.State.STARTING;
  private Set<InetSocketAddress> alive = Set.of();
  private @Nullable Homes homes;
  private String failure = "its own heartbeat does not appear in it";

  /**
   * Creates the reports of a membership about which nothing has been reported.
   *
   * @param self this process
   * @param secret its secret as a home; null when it is no home
   * @param address its address, as it is logged
   * @param alive receives all other proxies that are alive, at each change
   * @param homes receives the home proxies, at the first report and at each change of the proxies
   *     or of the nodes; null when this proxy is no home
   */
  MembershipReports(
      UUID self,
      @Nullable UUID secret,
      String address,
      Consumer<Set<InetSocketAddress>> alive,
      Homes.@Nullable Listener homes) {
    this.self = self;
    this.secret = secret;
    this.address = address;
    this.aliveListener = alive;
    this.homesListener = homes;
  }

  /** Takes note of a failed read or write. The log names the last one. */
  void failed(Throwable error) {
    failure = String.valueOf(error.getMessage());
  }

  /** Reports what has changed since the last call. */
  void report(Membership now) {
    reportState(now.state());
    reportDuplicates(now.duplicates());
    Set<InetSocketAddress> nowAlive = now.alive();
    if (!nowAlive.equals(alive)) {
      alive = nowAlive;
      aliveListener.accept(nowAlive);
    }
    if (homesListener != null) {
      reportHomes(homesListener, now.homes());
    }
  }

  private void reportHomes(Homes.Listener listener, List<Homes.Home> others) {
    List<NodeId> nodes = listener.nodes().get();
    if (homes == null || !homes.isFor(others, nodes)) {
      homes = new Homes(self, secret, others, nodes);
      listener.changed().accept(homes);
    }
  }

  private void reportState(Membership.State now) {
    if (now != state) {
      state = now;
      if (now == Membership.State.ALONE) {
        LOG.warn(
            "The keyspace of the fleet cannot be used; until it can, this proxy works alone, and"
                + " clients are told of the proxies that it knew last: {}",
            failure);
      } else {
        LOG.info("The keyspace of the fleet can be used; this proxy is {} in it", address);
      }
    }
  }

  private void reportDuplicates(Set<UUID> now) {
    for (UUID other : now) {
      if (duplicates.add(other)) {
        LOG.warn(
            "Another process also has the address {}: give each proxy its own cql.advertise",
            address);
      }
    }
  }
}
