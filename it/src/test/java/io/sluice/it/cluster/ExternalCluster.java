package io.sluice.it.cluster;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Existing nodes: {@code -Dit.nodes=host:port,...} and {@code -Dit.datacenter}. There must be as
 * many as the tests need. Tests cannot stop or pause them.
 */
final class ExternalCluster implements ClusterUnderTest {
  private final List<ExternalNode> nodes;

  ExternalCluster(ClusterShape shape) {
    this.nodes =
        Arrays.stream(System.getProperty("it.nodes", "").split(","))
            .filter(text -> !text.isBlank())
            .map(ExternalNode::parse)
            .toList();
    if (nodes.size() < shape.nodes()) {
      throw new IllegalStateException(
          "-Dit.nodes names " + nodes.size() + " nodes, the tests need " + shape.nodes());
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return Provider.EXTERNAL.capabilities();
  }

  @Override
  public List<ExternalNode> nodes() {
    return nodes;
  }

  @Override
  public InetSocketAddress startProxy() {
    return InProcessProxy.start(
        0,
        nodes.stream().map(ExternalNode::address).toList(),
        System.getProperty("it.datacenter", "datacenter1"),
        null);
  }

  /** An existing node. */
  record ExternalNode(InetSocketAddress address) implements Node {

    static ExternalNode parse(String text) {
      int colon = text.lastIndexOf(':');
      return new ExternalNode(
          new InetSocketAddress(
              text.substring(0, colon).strip(),
              Integer.parseInt(text.substring(colon + 1).strip())));
    }
  }
}
