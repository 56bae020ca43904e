package io.sluice.fleet;

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
 * The addresses of the other proxies: those that are given, those that names stand for, and those
 * whose heartbeats are seen. Not safe for several threads.
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
   * Begins with the addresses that are given.
   *
   * @param given addresses, and names as unresolved addresses
   * @param self this proxy's own address, which is left out; null when it is not known
   */
  PeerList(List<InetSocketAddress> given, @Nullable InetSocketAddress self) {
    this.given = List.copyOf(given);
    this.self = self;
    this.all = present();
  }

  /** The address as people write it. */
  static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  /** The names to look up, as unresolved addresses with the port of the proxies behind them. */
  List<InetSocketAddress> names() {
    return given.stream().filter(InetSocketAddress::isUnresolved).distinct().toList();
  }

  /** All proxies but this one, in an order. */
  List<InetSocketAddress> all() {
    return all;
  }

  /**
   * The names were looked up.
   *
   * @param found what was found; a name that is missing could not be looked up, and stands for what
   *     it last did
   */
  PeerChange lookedUp(Map<InetSocketAddress, List<InetAddress>> found) {
    known.putAll(found);
    return changed();
  }

  /** The heartbeats of these proxies are seen, and of no others. */
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
