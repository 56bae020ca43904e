package io.sluice.fleet;

import io.sluice.fleet.PeerWatch.PeerChange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the other proxies: configured addresses, addresses behind configured names, and
 * proxies whose heartbeats are seen. Not safe for several threads.
 */
final class PeerList {

  /** An order that is the same at every proxy. */
  private static final Comparator<InetSocketAddress> ORDER =
      Comparator.comparing(peer -> peer.getAddress().getHostAddress() + ":" + peer.getPort());

  private final List<InetSocketAddress> given;
  private final @Nullable InetSocketAddress self;
  private final Map<InetSocketAddress, List<InetAddress>> known = new HashMap<>();
  private Set<InetSocketAddress> alive = Set.of();
  private List<InetSocketAddress> all;

  /**
   * Creates a list of the configured addresses.
   *
   * @param given addresses, and names as unresolved addresses
   * @param self this proxy's own address, which is left out; null when it is not known
   */
  PeerList(List<InetSocketAddress> given, @Nullable InetSocketAddress self) {
    this.given = List.copyOf(given);
    this.self = self;
    this.all = present();
  }

  /**
   * Returns the names to look up, as unresolved addresses with the port of the proxies behind them.
   */
  List<InetSocketAddress> names() {
    return given.stream().filter(InetSocketAddress::isUnresolved).distinct().toList();
  }

  /** Returns all proxies except this one, in a fixed order. */
  List<InetSocketAddress> all() {
    return all;
  }

  /**
   * Updates the addresses behind names. Of a name with both IP versions, those of the version of
   * this proxy's own address count: a proxy with both would be present twice.
   *
   * @param found the addresses of each name; a name whose lookup failed is missing and keeps its
   *     last addresses
   */
  PeerChange lookedUp(Map<InetSocketAddress, List<InetAddress>> found) {
    found.forEach((name, addresses) -> known.put(name, ofOwnVersion(addresses)));
    return changed();
  }

  private List<InetAddress> ofOwnVersion(List<InetAddress> addresses) {
    if (self == null) {
      return addresses;
    }
    Class<?> version = self.getAddress().getClass();
    List<InetAddress> same = addresses.stream().filter(each -> each.getClass() == version).toList();
    return same.isEmpty() ? addresses : same;
  }

  /** Replaces the proxies whose heartbeats are seen. */
  PeerChange alive(Set<InetSocketAddress> members) {
    alive = Set.copyOf(members);
    return changed();
  }

  private PeerChange changed() {
    List<InetSocketAddress> before = all;
    all = present();
    return new PeerChange(all, without(all, before), without(before, all));
  }

  private List<InetSocketAddress> present() {
    Set<InetSocketAddress> present = new LinkedHashSet<>(alive);
    for (InetSocketAddress peer : given) {
      if (peer.isUnresolved()) {
        for (InetAddress address : known.getOrDefault(peer, List.of())) {
          present.add(new InetSocketAddress(address, peer.getPort()));
        }
      } else {
        present.add(peer);
      }
    }
    return present.stream().filter(peer -> !peer.equals(self)).sorted(ORDER).toList();
  }

  private static List<InetSocketAddress> without(
      List<InetSocketAddress> some, List<InetSocketAddress> others) {
    List<InetSocketAddress> left = new ArrayList<>(some);
    left.removeAll(others);
    return List.copyOf(left);
  }
}
