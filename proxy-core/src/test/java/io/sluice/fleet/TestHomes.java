package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;

/** Home proxies for the tests of other rooms. */
public final class TestHomes {

  private TestHomes() {}

  /** Returns the homes of a proxy that accepts this secret and knows no other proxy. */
  public static Homes alone(UUID secret) {
    return new Homes(new UUID(5, 5), secret, List.of(), List.of());
  }

  /** Returns the homes of a proxy that knows one other, which is the home of all these nodes. */
  public static Homes allAt(UUID other, UUID secret, List<NodeId> nodes) {
    return divided(other, secret, nodes, List.of());
  }

  /**
   * Returns the homes of a proxy that knows one other.
   *
   * @param away the nodes whose home is the other proxy
   * @param here the nodes whose home is this one
   */
  public static Homes divided(UUID other, UUID secret, List<NodeId> away, List<NodeId> here) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
    List<Homes.Home> others = List.of(new Homes.Home(other, address, secret));
    for (long i = 0; ; i++) {
      Homes homes = new Homes(new UUID(5, i), new UUID(6, 6), others, List.of());
      if (away.stream().allMatch(node -> homes.of(node) != null)
          && here.stream().allMatch(node -> homes.of(node) == null)) {
        return homes;
      }
    }
  }
}
