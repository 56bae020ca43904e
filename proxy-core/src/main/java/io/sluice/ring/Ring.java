package io.sluice.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes of the cluster and who owns what, at one moment. Immutable and safe for any thread. */
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
   * @param replicas who owns what, by keyspace
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

  /** The nodes of the local data centre, in an order that does not depend on who asks. */
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

  /**
   * Who owns what in one keyspace.
   *
   * <p>The ring is cut at {@code ends}: piece {@code i} is {@code ]ends[i-1], ends[i]]}, and what
   * lies above the last end belongs to piece 0.
   */
  public static final class Replicas {

    private final Token[] ends;
    private final List<List<NodeId>> owners;

    /**
     * Describes one keyspace.
     *
     * @param ends the pieces' last tokens, ascending; at least one
     * @param owners for each piece, who owns it
     */
    public Replicas(List<Token> ends, List<List<NodeId>> owners) {
      if (ends.isEmpty() || ends.size() != owners.size()) {
        throw new IllegalArgumentException(ends.size() + " ends for " + owners.size() + " owners");
      }
      this.ends = ends.toArray(new Token[0]);
      this.owners = owners.stream().map(List::copyOf).toList();
    }

    List<NodeId> of(Token token) {
      int at = Arrays.binarySearch(ends, token);
      int piece = at >= 0 ? at : -at - 1;
      return owners.get(piece == ends.length ? 0 : piece);
    }
  }
}
