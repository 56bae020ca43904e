package io.sluice.fleet;

import io.sluice.ring.NodeId;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The home proxies of all nodes, as this proxy knows them now. Immutable except for a cache of
 * computed homes; safe for any thread.
 */
public final class Homes {

  /**
   * The homes of a proxy that knows no other proxy: each range read waits at its client's proxy.
   */
  public static final Homes NONE = new Homes(null, null, List.of());

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

  private final @Nullable UUID self;
  private final @Nullable UUID secret;
  private final Map<UUID, Home> others = new HashMap<>();
  private final HomeProxies members;
  private final Map<NodeId, UUID> known = new ConcurrentHashMap<>();

  /**
   * Creates the homes for a set of members.
   *
   * @param self this process; null when it is no home
   * @param secret this process's own secret
   * @param others all other homes
   */
  Homes(@Nullable UUID self, @Nullable UUID secret, Collection<Home> others) {
    this.self = self;
    this.secret = secret;
    others.forEach(each -> this.others.put(each.instance(), each));
    Set<UUID> all = new HashSet<>(this.others.keySet());
    if (self != null) {
      all.add(self);
    }
    this.members = new HomeProxies(all);
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
    UUID home = known.get(node);
    if (home == null) {
      home = members.of(node).orElse(self);
      if (home != null) {
        known.put(node, home);
      }
    }
    return home == null ? null : others.get(home);
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
  public boolean equals(@Nullable Object other) {
    return other instanceof Homes that
        && Objects.equals(self, that.self)
        && Objects.equals(secret, that.secret)
        && others.equals(that.others);
  }

  @Override
  public int hashCode() {
    return others.hashCode();
  }

  @Override
  public String toString() {
    return "Homes" + others.values();
  }
}
