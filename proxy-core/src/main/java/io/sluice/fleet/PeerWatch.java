package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.Repeated;
import io.sluice.watch.FleetTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the other proxies: looks up the names that stand for them, at the start and every five
 * seconds, and follows their heartbeats in the keyspace of the fleet, each on a thread of its own.
 * Without names, or without the keyspace, there is no such thread. Safe for any thread.
 */
public final class PeerWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /**
   * What the heartbeats of a fleet show.
   *
   * @param members the proxies that are alive, this one too
   * @param alone whether the table of heartbeats cannot be used: the members are those that it
   *     showed last
   * @param doubles other processes with this proxy's own address
   */
  public record Facts(int members, boolean alone, int doubles) {}

  /** A source of the addresses that a name stands for. */
  @FunctionalInterface
  interface Names {

    /** Looks a name up; blocks until then. */
    List<InetAddress> addresses(String name) throws UnknownHostException;
  }

  private final Names source;
  private final Consumer<PeerChange> listener;

  @GuardedBy("this")
  private final Set<InetSocketAddress> failing = new HashSet<>();

  @GuardedBy("this")
  private final PeerList peers;

  private @Nullable Repeated looking;
  private @Nullable MemberWatch members;

  PeerWatch(
      List<InetSocketAddress> given,
      @Nullable InetSocketAddress self,
      Names source,
      Consumer<PeerChange> listener) {
    this.source = source;
    this.listener = listener;
    this.peers = new PeerList(given, self);
  }

  /**
   * Looks names up and follows heartbeats until it is closed.
   *
   * @param config with this proxy's own address, which is left out
   * @param table of heartbeats, used where {@code config} says so; null without one
   * @param listener told of each change by a thread of this watch or of the table; must not block
   * @param homes told of the proxies that are homes of nodes, in the same way, where {@code config}
   *     says so
   * @param heartbeats what is said with them, in the same way
   */
  public static PeerWatch begin(
      FleetConfig config,
      @Nullable FleetTable table,
      Consumer<PeerChange> listener,
      Consumer<Homes> homes,
      Heartbeats heartbeats) {
    InetSocketAddress self = config.advertise();
    PeerWatch watch = new PeerWatch(config.peers(), self, PeerWatch::lookedUp, listener);
    if (config.peers().stream().anyMatch(InetSocketAddress::isUnresolved)) {
      watch.looking = Repeated.begin("peers", Duration.ZERO, LOOK_EVERY, watch::look);
    }
    if (config.keyspace() && table != null && self != null) {
      MemberWatch.Listeners listeners =
          new MemberWatch.Listeners(watch::alive, config.homes() ? homes : null, heartbeats);
      watch.members = MemberWatch.begin(self, table, listeners);
    }
    return watch;
  }

  /** The addresses without the name: people and clients are shown what differs. */
  private static List<InetAddress> lookedUp(String name) throws UnknownHostException {
    List<InetAddress> addresses = new ArrayList<>();
    for (InetAddress named : InetAddress.getAllByName(name)) {
      addresses.add(InetAddress.getByAddress(named.getAddress()));
    }
    return addresses;
  }

  /** Looks all names up once, and tells of a change. */
  synchronized void look() {
    Map<InetSocketAddress, List<InetAddress>> found = new HashMap<>();
    for (InetSocketAddress name : peers.names()) {
      lookUp(name, found);
    }
    tell(peers.lookedUp(found));
  }

  private synchronized void alive(Set<InetSocketAddress> present) {
    tell(peers.alive(present));
  }

  @GuardedBy("this")
  private void tell(PeerChange change) {
    if (!change.isNone()) {
      change.joined().forEach(peer -> LOG.info("The proxy {} has joined", PeerList.text(peer)));
      change.left().forEach(peer -> LOG.info("The proxy {} has left", PeerList.text(peer)));
      listener.accept(change);
    }
  }

  @GuardedBy("this")
  private void lookUp(InetSocketAddress name, Map<InetSocketAddress, List<InetAddress>> found) {
    try {
      found.put(name, source.addresses(name.getHostString()));
      if (failing.remove(name)) {
        LOG.info("The name {} of other proxies can be looked up again", name.getHostString());
      }
    } catch (UnknownHostException e) {
      if (failing.add(name)) {
        LOG.warn(
            "The name {} of other proxies cannot be looked up; what it stood for is kept",
            name.getHostString());
      }
    }
  }

  /** What heartbeats show; null where there are none. */
  public @Nullable Facts facts() {
    MemberWatch begun = members;
    return begun == null ? null : begun.facts();
  }

  /**
   * Takes this proxy's own row out of the table, so that others know at once that it goes. Blocks
   * until that is done.
   *
   * @param atMost after this it is not waited for
   * @throws InterruptedException when interrupted while waiting
   */
  public void leave(Duration atMost) throws InterruptedException {
    MemberWatch begun = members;
    if (begun != null) {
      begun.leave(atMost);
    }
  }

  @Override
  public void close() {
    MemberWatch following = members;
    if (following != null) {
      following.close();
    }
    Repeated begun = looking;
    if (begun != null) {
      begun.close();
    }
  }
}
