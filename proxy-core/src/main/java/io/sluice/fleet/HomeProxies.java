package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Assigns each node its home proxy, at which the range reads of the node wait. The choice is
 * rendezvous hashing (Thaler and Ravishankar: "Using Name-Based Mappings to Increase Hit Rates",
 * 1998) with bounded loads: of n nodes and m members, each member is the home of at most ⌈n / m⌉
 * nodes. Pairs of node and member are taken by descending score; a pair counts if the node has no
 * home yet and the member has room. Proxies that know the same members and nodes choose the same
 * homes, in whatever order they learned of them. When a member leaves, its nodes move to others,
 * and a few more move because the shares change. Immutable; safe for any thread.
 */
public final class HomeProxies {

  private record Pair(NodeId node, UUID member, long score) {}

  private final List<UUID> members;
  private final Map<NodeId, UUID> homes = new HashMap<>();

  /**
   * Creates an assignment. Duplicates count once. Takes time and memory proportional to the number
   * of members times that of nodes.
   */
  public HomeProxies(Collection<UUID> members, Collection<NodeId> nodes) {
    this.members = members.stream().distinct().sorted().toList();
    List<NodeId> all =
        nodes.stream().distinct().sorted((a, b) -> a.hostId().compareTo(b.hostId())).toList();
    if (!this.members.isEmpty()) {
      int mostNodes = (all.size() + this.members.size() - 1) / this.members.size();
      assign(pairs(all), mostNodes);
    }
  }

  private List<Pair> pairs(List<NodeId> nodes) {
    List<Pair> pairs = new ArrayList<>(nodes.size() * members.size());
    for (NodeId node : nodes) {
      long seed = Rendezvous.seed(node.hostId());
      members.forEach(member -> pairs.add(new Pair(node, member, Rendezvous.score(seed, member))));
    }
    // The sort is stable, so pairs with equal scores have the same order at every proxy.
    pairs.sort((a, b) -> Long.compareUnsigned(b.score(), a.score()));
    return pairs;
  }

  private void assign(List<Pair> byScore, int mostNodes) {
    Map<UUID, Integer> nodes = new HashMap<>();
    for (Pair each : byScore) {
      if (!homes.containsKey(each.node()) && nodes.getOrDefault(each.member(), 0) < mostNodes) {
        homes.put(each.node(), each.member());
        nodes.merge(each.member(), 1, Integer::sum);
      }
    }
  }

  /** Returns the members, in the same order at every proxy. */
  public List<UUID> members() {
    return members;
  }

  /**
   * Returns the home of a node; empty without members. The home of a node that is not assigned is
   * the member with the highest score, which takes time proportional to the number of members.
   */
  public Optional<UUID> of(NodeId node) {
    UUID home = homes.get(node);
    return home != null ? Optional.of(home) : highest(Rendezvous.seed(node.hostId()));
  }

  private Optional<UUID> highest(long seed) {
    return members.stream()
        .max((a, b) -> Long.compareUnsigned(Rendezvous.score(seed, a), Rendezvous.score(seed, b)));
  }
}
