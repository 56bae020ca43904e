package io.sluice.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster and the owners of ranges, at one moment. Immutable and safe for any
 * thread.
 */
public final class Ring {

  private final Partitioner partitioner;
  private final String localDatacenter;
  private final Map<NodeId, Node> nodes;
  private final List<Node> local;
  private final Map<String, Replicas> replicas;

  /**
   * Describes the cluster.
   *
   * @param partitioner how keys become tokens
   * @param localDatacenter the data centre whose nodes are asked
   * @param nodes all nodes
   * @param replicas the owners of ranges, by keyspace
   */
  public Ring(
      Partitioner partitioner,
      String localDatacenter,
      Map<NodeId, Node> nodes,
      Map<String, Replicas> replicas) {
    this.partitioner = partitioner;
    this.localDatacenter = localDatacenter;
    this.nodes = Map.copyOf(nodes);
    this.replicas = Map.copyOf(replicas);
    List<Node> here = new ArrayList<>();
    for (Node node : nodes.values()) {
      if (node.datacenter().equals(localDatacenter)) {
        here.add(node);
      }
    }
    here.sort((a, b) -> a.id().hostId().compareTo(b.id().hostId()));
    this.local = List.copyOf(here);
  }

  public Partitioner partitioner() {
    return partitioner;
  }

  public String localDatacenter() {
    return localDatacenter;
  }

  /** All nodes of all data centres. */
  public Map<NodeId, Node> nodes() {
    return nodes;
  }

  /** The node of that id, or null when it is not part of the cluster. */
  public @Nullable Node node(NodeId id) {
    return nodes.get(id);
  }

  /** The nodes of the local data centre, in an order that does not depend on the caller. */
  public List<Node> local() {
    return local;
  }

  /**
   * The nodes that own {@code token} in {@code keyspace}: those of the local data centre if it has
   * any, else all; empty when the keyspace is not known.
   */
  public List<NodeId> replicas(@Nullable String keyspace, Token token) {
    Replicas owners = keyspace == null ? null : replicas.get(keyspace);
    return owners == null ? List.of() : owners.of(token);
  }

  /** The owners of ranges in {@code keyspace}; null when the keyspace is not known. */
  public @Nullable Replicas owners(@Nullable String keyspace) {
    return keyspace == null ? null : replicas.get(keyspace);
  }

  /**
   * The owners of ranges in one keyspace.
   *
   * <p>The ring is cut at {@code ends}: piece {@code i} is {@code ]ends[i-1], ends[i]]}, and what
   * lies above the last end belongs to piece 0.
   */
  public static final class Replicas {

    private final Token[] ends;
    private final List<List<NodeId>> owners;
    private final List<TokenRange> segments;

    /**
     * Describes one keyspace.
     *
     * @param ends the pieces' last tokens, ascending; at least one
     * @param owners the owners of each range
     */
    public Replicas(List<Token> ends, List<List<NodeId>> owners) {
      if (ends.isEmpty() || ends.size() != owners.size()) {
        throw new IllegalArgumentException(ends.size() + " ends for " + owners.size() + " owners");
      }
      this.ends = ends.toArray(new Token[0]);
      this.owners = owners.stream().map(List::copyOf).toList();
      this.segments = merged();
    }

    /** How many nodes own a token. */
    public int count() {
      return owners.get(0).size();
    }

    /** Where the set of owners stays the same from one range to the next, there is no cut. */
    private List<TokenRange> merged() {
      List<TokenRange> all = new ArrayList<>();
      Token after = null;
      for (int i = 0; i < ends.length; i++) {
        List<NodeId> next = owners.get(i + 1 == ends.length ? 0 : i + 1);
        if (!ends[i].isMinimum() && !sameNodes(owners.get(i), next)) {
          all.add(new TokenRange(after, ends[i]));
          after = ends[i];
        }
      }
      TokenRange last = new TokenRange(after, null);
      if (!last.isEmpty()) {
        all.add(last);
      }
      return List.copyOf(all);
    }

    private static boolean sameNodes(List<NodeId> some, List<NodeId> others) {
      return some.equals(others)
          || (some.size() == others.size() && Set.copyOf(some).equals(Set.copyOf(others)));
    }

    /**
     * The whole ring, cut only where the set of owners changes: ascending, without gap or overlap,
     * none of them empty. The last may have the owners of the first.
     */
    public List<TokenRange> segments() {
      return segments;
    }

    /** The owners of {@code token}. */
    public List<NodeId> of(Token token) {
      int at = Arrays.binarySearch(ends, token);
      return owner(at >= 0 ? at : -at - 1);
    }

    /** The owners of what comes right after {@code token}; null for the beginning of the ring. */
    public List<NodeId> after(@Nullable Token token) {
      if (token == null) {
        return owner(ends[0].isMinimum() ? 1 : 0);
      }
      int at = Arrays.binarySearch(ends, token);
      return owner(at >= 0 ? at + 1 : -at - 1);
    }

    private List<NodeId> owner(int piece) {
      return owners.get(piece >= ends.length ? 0 : piece);
    }
  }
}
