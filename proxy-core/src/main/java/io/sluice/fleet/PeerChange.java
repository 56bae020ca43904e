package io.sluice.fleet;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The other proxies of a cluster, where they are not the same as before.
 *
 * @param all the present ones
 * @param joined those of them that are new
 * @param left those that are gone
 */
public record PeerChange(
    List<InetSocketAddress> all, List<InetSocketAddress> joined, List<InetSocketAddress> left) {

  public PeerChange {
    all = List.copyOf(all);
    joined = List.copyOf(joined);
    left = List.copyOf(left);
  }

  /** Whether none came and none went. */
  boolean isNone() {
    return joined.isEmpty() && left.isEmpty();
  }
}
