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
 * The proxies that are homes of nodes, as this proxy knows them now. Immutable but for what it
 * remembers; safe for any thread.
 */
public final class Homes {

  /** No proxy knows of another: each range read waits where its client is. */
  public static final Homes NONE = new Homes(null, null, List.of());

  /**
   * Another proxy that is a home.
   *
   * @param instance its process
   * @param address where it is reached
   * @param secret what it takes for a proof that a request is a proxy's
   */
  public record Home(UUID instance, InetSocketAddress address, UUID secret) {

    /** Without the secret. */
    @Override
    public String toString() {
      return address.getHostString() + ":" + address.getPort();
    }
  }

  private final @Nullable UUID self;
  private final @Nullable UUID secret;
  private final Map<UUID, Home> others = new HashMap<>();
  private final HomeProxies members;
  private final Map<NodeId, UUID> known = new ConcurrentHashMap<>();

  /**
   * Knows these members.
   *
   * @param self this process; null where it is no home
   * @param secret its own secret
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

  /** How many there are, this one too; at least 1. */
  public int members() {
    return Math.max(1, members.members().size());
  }

  /** The home of a node; null when it is this proxy. */
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

  /**
   * How many proxies give a node range reads that do not wait at its home, of which one is this.
   */
  public int sharing(NodeId node) {
    return of(node) == null ? 1 : members();
  }

  /** Whether this is the secret in the row of this process. */
  public boolean isProof(UUID said) {
    UUID own = secret;
    return own != null
        && ((own.getMostSignificantBits() ^ said.getMostSignificantBits())
                | (own.getLeastSignificantBits() ^ said.getLeastSignificantBits()))
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
