package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The proxy at which the range reads of each node wait, its home. Chosen by rendezvous hashing
 * (Thaler and Ravishankar: "Using Name-Based Mappings to Increase Hit Rates", 1998): proxies that
 * know the same members find the same home, whatever the order in which they were told, and when a
 * member goes, only the nodes whose home it was move, each to the next in its own line. Immutable;
 * safe for any thread.
 */
public final class HomeProxies {
  private final List<UUID> members;

  /** The homes among these members; a member that is named twice counts once. */
  public HomeProxies(Collection<UUID> members) {
    this.members = members.stream().distinct().sorted().toList();
  }

  /** The members, in an order that is the same everywhere. */
  public List<UUID> members() {
    return members;
  }

  /** The home of a node; none without members. Takes time in proportion to them. */
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

  /** All members as they follow one another as the home of a node, the home first. */
  public Stream<UUID> line(NodeId node) {
    long seed = Rendezvous.seed(node.hostId());
    return members.stream()
        .sorted(
            (a, b) -> Long.compareUnsigned(Rendezvous.score(seed, b), Rendezvous.score(seed, a)));
  }
}
