package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.Repeated;
import io.sluice.watch.ClusterConfig.Credentials;
import io.sluice.watch.FleetTables.FleetTable;
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
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the other proxies. One thread looks up the configured names at the start and every five
 * seconds. Another thread follows the heartbeats in the keyspace of the fleet. The first is started
 * only where names are configured, the second only where the keyspace is. Safe for any thread.
 */
public final class PeerWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PeerWatch.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /**
   * The state of a fleet, as heartbeats show it.
   *
   * @param members the number of proxies that are alive, including this one
   * @param alone whether the table of heartbeats cannot be used; the members are then those that it
   *     showed last
   * @param doubles the number of other processes with this proxy's own address
   */
  public record Facts(int members, boolean alone, int doubles) {}

  /** A resolver of names. */
  @FunctionalInterface
  interface Names {

    /** Looks a name up. Blocks until the lookup ends. */
    List<InetAddress> addresses(String name) throws UnknownHostException;
  }

  private final Names source;
  private final Consumer<PeerChange> listener;
  private final List<InetSocketAddress> names;

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
    this.names = peers.names();
  }

  /**
   * Starts a watch, which runs until it is closed.
   *
   * @param config the settings, with this proxy's own address, which is left out
   * @param table the table of heartbeats, used where {@code config} says so; null when there is
   *     none
   * @param login the login of this proxy for the cluster, which all homes have; null when the
   *     cluster requires none, so that homes get no logins either
   * @param listener receives each change on a thread of this watch or of the table; must not block
   * @param homes receives the home proxies in the same way, where {@code config} says so
   * @param heartbeats the texts of the heartbeats, called in the same way
   */
  public static PeerWatch begin(
      FleetConfig config,
      @Nullable FleetTable table,
      @Nullable Credentials login,
      Consumer<PeerChange> listener,
      Homes.Listener homes,
      Heartbeats heartbeats) {
    InetSocketAddress self = config.advertise();
    PeerWatch watch = new PeerWatch(config.peers(), self, PeerWatch::resolve, listener);
    if (config.peers().stream().anyMatch(InetSocketAddress::isUnresolved)) {
      watch.looking = Repeated.begin("peers", Duration.ZERO, LOOK_EVERY, watch::look);
    }
    if (config.keyspace() && table != null && self != null) {
      MemberWatch.Listeners listeners =
          new MemberWatch.Listeners(watch::alive, config.homes() ? homes : null, heartbeats);
      FleetTable read = config.homes() && login != null ? new SealedTable(table, login) : table;
      watch.members = MemberWatch.begin(self, read, listeners);
    }
    return watch;
  }

  /**
   * Resolves a name to addresses without that name, because people and clients compare addresses.
   */
  private static List<InetAddress> resolve(String name) throws UnknownHostException {
    List<InetAddress> addresses = new ArrayList<>();
    for (InetAddress named : InetAddress.getAllByName(name)) {
      addresses.add(InetAddress.getByAddress(named.getAddress()));
    }
    return addresses;
  }

  /**
   * Looks all names up once and reports a change. Blocks without a lock: a slow lookup delays no
   * heartbeat.
   */
  void look() {
    Map<InetSocketAddress, List<InetAddress>> found = new HashMap<>();
    for (InetSocketAddress name : names) {
      try {
        found.put(name, source.addresses(name.getHostString()));
      } catch (UnknownHostException e) {
        LOG.debug("Cannot look up {}", name.getHostString(), e);
      }
    }
    lookedUp(found);
  }

  private synchronized void lookedUp(Map<InetSocketAddress, List<InetAddress>> found) {
    names.forEach(name -> reportLookup(name, found.containsKey(name)));
    report(peers.lookedUp(found));
  }

  /** Updates the proxies that are alive, and reports a change. */
  synchronized void alive(Set<InetSocketAddress> present) {
    report(peers.alive(present));
  }

  @GuardedBy("this")
  private void report(PeerChange change) {
    if (!change.isNone()) {
      change.joined().forEach(peer -> LOG.info("The proxy {} has joined", FleetConfig.text(peer)));
      change.left().forEach(peer -> LOG.info("The proxy {} has left", FleetConfig.text(peer)));
      listener.accept(change);
    }
  }

  @GuardedBy("this")
  private void reportLookup(InetSocketAddress name, boolean succeeded) {
    if (!succeeded && failing.add(name)) {
      LOG.warn(
          "The name {} of other proxies cannot be looked up; its last addresses are kept",
          name.getHostString());
    } else if (succeeded && failing.remove(name)) {
      LOG.info("The name {} of other proxies can be looked up again", name.getHostString());
    }
  }

  /** Returns the state that heartbeats show; null when this proxy follows none. */
  public @Nullable Facts facts() {
    MemberWatch begun = members;
    return begun == null ? null : begun.facts();
  }

  /**
   * Makes this proxy a home, where the settings say so, by a heartbeat at once. To be called when
   * this proxy, and no other process, serves clients at its address: until then the pieces of other
   * proxies would wait for it.
   */
  public void serves() {
    MemberWatch begun = members;
    if (begun != null) {
      begun.serves();
    }
  }

  /**
   * Writes into this proxy's own row of the table that it leaves, so that others learn this at
   * once. Blocks until the row is written.
   *
   * @param atMost the maximum time to wait
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

  /**
   * A change of the set of other proxies of a cluster.
   *
   * @param all all present proxies
   * @param joined those of them that are new
   * @param left the proxies that are gone
   */
  public record PeerChange(
      List<InetSocketAddress> all, List<InetSocketAddress> joined, List<InetSocketAddress> left) {

    public PeerChange {
      all = List.copyOf(all);
      joined = List.copyOf(joined);
      left = List.copyOf(left);
    }

    /** Whether no proxy has joined and none has left. */
    boolean isNone() {
      return joined.isEmpty() && left.isEmpty();
    }
  }

  /**
   * The source and the receiver of the text that proxies send each other with their heartbeats.
   * Safe for any thread.
   */
  public interface Heartbeats {

    /** Sends an empty text and ignores the texts of others. */
    Heartbeats SILENT =
        new Heartbeats() {
          @Override
          public String text(long beat) {
            return "";
          }

          @Override
          public void received(Look look) {}

          @Override
          public void othersUnreachable(int members) {}
        };

    /**
     * The state of the fleet at one read of the table.
     *
     * @param self this process
     * @param beat the number of this proxy's own heartbeat in the table; 0 for none
     * @param others the texts of the other proxies, including proxies that are not yet known to be
     *     alive
     */
    record Look(UUID self, long beat, Map<UUID, String> others) {
      public Look {
        others = Map.copyOf(others);
      }
    }

    /**
     * Returns the text to send with the heartbeat {@code beat}. Called for each heartbeat in turn.
     */
    String text(long beat);

    /** Called after each read of the table while the table can be used. */
    void received(Look look);

    /**
     * Called every round in which the table cannot be used.
     *
     * @param members the number of members that were seen last, including this proxy; at least 1
     */
    void othersUnreachable(int members);
  }
}
