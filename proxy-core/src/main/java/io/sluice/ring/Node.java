package io.sluice.ring;

import java.net.InetSocketAddress;

/**
 * A Cassandra node, as the proxy knows it.
 *
 * @param id the node's identity
 * @param address the address at which the node listens for CQL
 * @param datacenter the node's data centre
 * @param rack the node's rack
 * @param up whether the cluster considers the node up
 */
public record Node(
    NodeId id, InetSocketAddress address, String datacenter, String rack, boolean up) {

  /** Returns the address in the form host:port. */
  public String addressText() {
    return text(address);
  }

  /** Returns the address of a node in the form host:port. */
  public static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }
}
