package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.Repeated;
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
 * Looks up the names that stand for other proxies, at the start and every five seconds, on a thread
 * of its own. Without names there is no thread. Safe for any thread.
 */
public final class PeerWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

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
   * Looks names up until it is closed.
   *
   * @param given the addresses of other proxies, and names as unresolved addresses
   * @param self this proxy's own address, which is left out; null when it is not known
   * @param listener told of each change by the thread of this watch; must not block
   */
  public static PeerWatch begin(
      List<InetSocketAddress> given,
      @Nullable InetSocketAddress self,
      Consumer<PeerChange> listener) {
    PeerWatch watch = new PeerWatch(given, self, PeerWatch::lookedUp, listener);
    if (given.stream().anyMatch(InetSocketAddress::isUnresolved)) {
      watch.looking = Repeated.begin("peers", Duration.ZERO, LOOK_EVERY, watch::look);
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
    PeerChange change = peers.lookedUp(found);
    if (!change.isNone()) {
      change.joined().forEach(peer -> LOG.info("The proxy {} has joined", peer));
      change.left().forEach(peer -> LOG.info("The proxy {} has left", peer));
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

  @Override
  public void close() {
    Repeated begun = looking;
    if (begun != null) {
      begun.close();
    }
  }
}
