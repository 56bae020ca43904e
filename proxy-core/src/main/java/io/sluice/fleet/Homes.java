package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The home proxies of all nodes, as this proxy knows them now. Immutable; safe for any thread. */
public final class Homes {

  /**
   * The homes of a proxy that knows no other proxy: each range read waits at its client's proxy.
   */
  public static final Homes NONE = new Homes(null, null, Set.of(), Set.of());

  /**
   * Another proxy that is a home.
   *
   * @param instance its process
   * @param address its address
   * @param secret the value that proves that a request comes from a proxy of the fleet
   */
  public record Home(UUID instance, InetSocketAddress address, UUID secret) {

    /** Returns the address only, without the secret. */
    @Override
    public String toString() {
      return FleetConfig.text(address);
    }
  }

  /**
   * The receiver of the home proxies. Safe for any thread; must not block.
   *
   * @param nodes returns the nodes that are divided among the homes: those of the local data centre
   * @param changed called when the home proxies or these nodes have changed
   */
  public record Listener(Supplier<List<NodeId>> nodes, Consumer<Homes> changed) {}

  private final @Nullable UUID secret;
  private final Map<UUID, Home> others = new HashMap<>();
  private final Set<NodeId> nodes;
  private final HomeProxies members;

  /**
   * Creates the homes for a set of members.
   *
   * @param self this process; null when it is no home
   * @param secret this process's own secret
   * @param others all other homes
   * @param nodes the nodes that are divided among the homes
   */
  Homes(
      @Nullable UUID self,
      @Nullable UUID secret,
      Collection<Home> others,
      Collection<NodeId> nodes) {
    this.secret = secret;
    this.nodes = Set.copyOf(nodes);
    others.forEach(each -> this.others.put(each.instance(), each));
    Set<UUID> all = new HashSet<>(this.others.keySet());
    if (self != null) {
      all.add(self);
    }
    this.members = new HomeProxies(all, nodes);
  }

  /** Whether these are the homes for these other proxies and nodes. */
  boolean isFor(Collection<Home> others, Collection<NodeId> nodes) {
    return this.nodes.equals(Set.copyOf(nodes))
        && Set.copyOf(this.others.values()).equals(Set.copyOf(others));
  }

  /** Returns the number of home proxies, including this one; at least 1. */
  public int members() {
    return Math.max(1, members.members().size());
  }

  /** Returns the home of a node; null when it is this proxy. */
  public @Nullable Home of(NodeId node) {
    if (others.isEmpty()) {
      return null;
    }
    return members.of(node).map(others::get).orElse(null);
  }

  /** Returns how many proxies send range reads to a node past its home, including this proxy. */
  public int sharing(NodeId node) {
    return of(node) == null ? 1 : members();
  }

  /** Whether {@code proof} equals the secret of this process. */
  public boolean isProof(UUID proof) {
    UUID own = secret;
    return own != null
        && ((own.getMostSignificantBits() ^ proof.getMostSignificantBits())
                | (own.getLeastSignificantBits() ^ proof.getLeastSignificantBits()))
            == 0;
  }

  @Override
  public String toString() {
    return "Homes" + others.values();
  }
}
