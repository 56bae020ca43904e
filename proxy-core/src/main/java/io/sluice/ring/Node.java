package io.sluice.ring;

import java.net.InetSocketAddress;

/**
 * A node, as the proxy knows it.
 *
 * @param id the node's identity
 * @param address where it listens for CQL
 * @param datacenter its data centre
 * @param rack its rack
 * @param up whether the cluster believes it to be alive
 */
public record Node(
    NodeId id, InetSocketAddress address, String datacenter, String rack, boolean up) {}
