package io.sluice.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the cluster's nodes and of the replicas of all token ranges. Immutable and safe for
 * any thread.
 */
public final class Ring {

  private final Partitioner partitioner;
  private final String localDatacenter;
  private final Map<NodeId, Node> nodes;
  private final List<Node> local;
  private final Map<String, Replicas> replicas;

  /** The same nodes from the other data centres. */
  private final Map<String, Ring> elsewhere;

  /** The nodes that have queues. */
  private final List<Node> scheduled;

  /**
   * Creates a snapshot of a cluster whose other data centres own nothing.
   *
   * @param partitioner the function from keys to tokens
   * @param localDatacenter the data centre whose nodes the proxy uses
   * @param nodes all nodes of all data centres
   * @param replicas the replicas of token ranges, by keyspace
   */
  public Ring(
      Partitioner partitioner,
      String localDatacenter,
      Map<NodeId, Node> nodes,
      Map<String, Replicas> replicas) {
    this(partitioner, localDatacenter, Map.copyOf(nodes), Map.copyOf(replicas), Map.of());
  }

  private Ring(
      Partitioner partitioner,
      String localDatacenter,
      Map<NodeId, Node> nodes,
      Map<String, Replicas> replicas,
      Map<String, Ring> elsewhere) {
    this.partitioner = partitioner;
    this.localDatacenter = localDatacenter;
    this.nodes = nodes;
    this.replicas = replicas;
    this.elsewhere = elsewhere;
    this.local = nodesOf(nodes, localDatacenter);
    this.scheduled = local;
  }

  private Ring(Ring of, List<Node> scheduled) {
    this.partitioner = of.partitioner;
    this.localDatacenter = of.localDatacenter;
    this.nodes = of.nodes;
    this.replicas = of.replicas;
    this.elsewhere = of.elsewhere;
    this.local = of.local;
    this.scheduled = scheduled;
  }

  /**
   * Creates a snapshot.
   *
   * @param partitioner the function from keys to tokens
   * @param localDatacenter the data centre whose nodes the proxy uses
   * @param nodes all nodes of all data centres
   * @param replicas the replicas of token ranges, by data centre and keyspace
   */
  public static Ring of(
      Partitioner partitioner,
      String localDatacenter,
      Map<NodeId, Node> nodes,
      Map<String, Map<String, Replicas>> replicas) {
    Map<NodeId, Node> all = Map.copyOf(nodes);
    Map<String, Ring> elsewhere = new HashMap<>();
    for (Node node : all.values()) {
      String datacenter = node.datacenter();
      if (!datacenter.equals(localDatacenter) && !elsewhere.containsKey(datacenter)) {
        Map<String, Replicas> there = replicas.getOrDefault(datacenter, Map.of());
        elsewhere.put(datacenter, new Ring(partitioner, datacenter, all, there));
      }
    }
    Map<String, Replicas> here = Map.copyOf(replicas.getOrDefault(localDatacenter, Map.of()));
    return new Ring(partitioner, localDatacenter, all, here, Map.copyOf(elsewhere));
  }

  private static List<Node> nodesOf(Map<NodeId, Node> nodes, String datacenter) {
    List<Node> all = new ArrayList<>();
    for (Node node : nodes.values()) {
      if (node.datacenter().equals(datacenter)) {
        all.add(node);
      }
    }
    all.sort((a, b) -> a.id().hostId().compareTo(b.id().hostId()));
    return List.copyOf(all);
  }

  /**
   * Returns the same snapshot with another local data centre. Without a node there, it has no local
   * nodes and no replicas.
   */
  public Ring in(String datacenter) {
    if (datacenter.equals(localDatacenter)) {
      return this;
    }
    Ring there = elsewhere.get(datacenter);
    return there != null ? there : new Ring(partitioner, datacenter, nodes, Map.of());
  }

  /** Returns the names of all data centres, sorted. */
  public SortedSet<String> datacenters() {
    SortedSet<String> names = new TreeSet<>(elsewhere.keySet());
    if (!local.isEmpty()) {
      names.add(localDatacenter);
    }
    return names;
  }

  /** Returns the same snapshot, in which nodes of these data centres have queues too. */
  public Ring scheduling(Collection<String> datacenters) {
    List<Node> all = new ArrayList<>(local);
    for (String name : datacenters) {
      Ring there = elsewhere.get(name);
      all.addAll(there == null ? List.of() : there.local);
    }
    return all.size() == local.size() ? this : new Ring(this, List.copyOf(all));
  }

  /** Returns the nodes that have queues: the local ones, unless more were named. */
  public List<Node> scheduled() {
    return scheduled;
  }

  public Partitioner partitioner() {
    return partitioner;
  }

  public String localDatacenter() {
    return localDatacenter;
  }

  /** Returns the nodes of all data centres. */
  public Map<NodeId, Node> nodes() {
    return nodes;
  }

  /** Returns the node with this id, or null when it is not part of the cluster. */
  public @Nullable Node node(NodeId id) {
    return nodes.get(id);
  }

  /** Returns the nodes of the local data centre, always in the same order. */
  public List<Node> local() {
    return local;
  }

  /**
   * Returns the replicas of {@code token} in {@code keyspace} in the local data centre. Empty when
   * the keyspace is not known, or has no replicas there.
   */
  public List<NodeId> replicas(@Nullable String keyspace, Token token) {
    Replicas owners = keyspace == null ? null : replicas.get(keyspace);
    return owners == null ? List.of() : owners.of(token);
  }

  /**
   * Returns the replicas of all ranges in {@code keyspace}; null when the keyspace is not known, or
   * has no replicas in the local data centre.
   */
  public @Nullable Replicas owners(@Nullable String keyspace) {
    return keyspace == null ? null : replicas.get(keyspace);
  }

  /**
   * The replicas of all token ranges in one keyspace.
   *
   * <p>The ring is cut at {@code ends}: range {@code i} is {@code ]ends[i-1], ends[i]]}, and tokens
   * above the last end belong to range 0.
   */
  public static final class Replicas {

    private final Token[] ends;
    private final List<List<NodeId>> owners;
    private final List<TokenRange> segments;

    /**
     * Creates the replicas of one keyspace.
     *
     * @param ends the last tokens of the ranges, ascending; at least one
     * @param owners the replicas of each range
     */
    public Replicas(List<Token> ends, List<List<NodeId>> owners) {
      if (ends.isEmpty() || ends.size() != owners.size()) {
        throw new IllegalArgumentException(ends.size() + " ends for " + owners.size() + " owners");
      }
      this.ends = ends.toArray(new Token[0]);
      this.owners = owners.stream().map(List::copyOf).toList();
      this.segments = merged();
    }

    /** Returns how many nodes own a token. */
    public int count() {
      return owners.get(0).size();
    }

    /** Merges neighbouring ranges that have the same set of replicas. */
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
     * Returns the ranges of the whole ring, cut only where the set of replicas changes. They ascend
     * without gap or overlap, and none is empty. The last may have the replicas of the first.
     */
    public List<TokenRange> segments() {
      return segments;
    }

    /** Returns the replicas of {@code token}. */
    public List<NodeId> of(Token token) {
      int at = Arrays.binarySearch(ends, token);
      return owner(at >= 0 ? at : -at - 1);
    }

    /**
     * Returns the replicas of the tokens right after {@code token}; null stands for the beginning
     * of the ring.
     */
    public List<NodeId> after(@Nullable Token token) {
      if (token == null) {
        return owner(ends[0].isMinimum() ? 1 : 0);
      }
      int at = Arrays.binarySearch(ends, token);
      return owner(at >= 0 ? at + 1 : -at - 1);
    }

    private List<NodeId> owner(int range) {
      return owners.get(range >= ends.length ? 0 : range);
    }
  }
}
