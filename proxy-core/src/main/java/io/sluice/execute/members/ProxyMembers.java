package io.sluice.execute.members;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The proxies of one cluster, as clients see them. All proxies with the same addresses in their
 * settings give the same answer.
 *
 * @param clusterName the cluster's name
 * @param partitioner the class name of its partitioner
 * @param self the proxy that answers
 * @param peers the other proxies; {@code self} is removed
 * @param serving whether the proxies send requests to the node with this host id
 */
public record ProxyMembers(
    String clusterName,
    String partitioner,
    InetSocketAddress self,
    List<InetSocketAddress> peers,
    Predicate<UUID> serving) {

  public ProxyMembers {
    InetSocketAddress answering = self;
    peers = peers.stream().filter(peer -> !peer.equals(answering)).toList();
  }

  boolean isServing(UUID node) {
    return serving.test(node);
  }

  /** Returns the host id of a proxy, derived from its address and the cluster's name. */
  UUID hostId(InetSocketAddress proxy) {
    String name = "sluice/" + clusterName + "/" + text(proxy);
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the tokens of {@code proxy}. The proxies share the ring evenly. */
  List<String> tokens(InetSocketAddress proxy) {
    List<InetSocketAddress> all = new ArrayList<>(peers);
    all.add(self);
    all.sort(Comparator.comparing(ProxyMembers::text));
    return EvenTokens.of(partitioner, all.indexOf(proxy), all.size());
  }

  private static String text(InetSocketAddress proxy) {
    return proxy.getAddress().getHostAddress() + ":" + proxy.getPort();
  }
}
