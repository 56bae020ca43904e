package io.sluice.fleet;

import java.net.InetSocketAddress;
import java.util.List;

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
