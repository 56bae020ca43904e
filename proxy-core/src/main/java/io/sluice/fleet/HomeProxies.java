package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Assigns each node its home proxy, at which the range reads of the node wait. The choice is
 * rendezvous hashing (Thaler and Ravishankar: "Using Name-Based Mappings to Increase Hit Rates",
 * 1998). Proxies that know the same members choose the same home, in whatever order they learned of
 * the members. When a member leaves, only the nodes move whose home it was, each to the next member
 * in the node's own order. Immutable; safe for any thread.
 */
public final class HomeProxies {
  private final List<UUID> members;

  /** Creates an assignment among these members. Duplicates count once. */
  public HomeProxies(Collection<UUID> members) {
    this.members = members.stream().distinct().sorted().toList();
  }

  /** Returns the members, in the same order at every proxy. */
  public List<UUID> members() {
    return members;
  }

  /**
   * Returns the home of a node; empty without members. Takes time proportional to the number of
   * members.
   */
  public Optional<UUID> of(NodeId node) {
    long seed = Rendezvous.seed(node.hostId());
    UUID best = null;
    long most = 0;
    for (int i = 0; i < members.size(); i++) {
      UUID member = members.get(i);
      long score = Rendezvous.score(seed, member);
      if (best == null || Long.compareUnsigned(score, most) > 0) {
        best = member;
        most = score;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Returns all members in the order in which they are homes of the node, the current home first.
   */
  Stream<UUID> line(NodeId node) {
    long seed = Rendezvous.seed(node.hostId());
    return members.stream()
        .sorted(
            (a, b) -> Long.compareUnsigned(Rendezvous.score(seed, b), Rendezvous.score(seed, a)));
  }
}
