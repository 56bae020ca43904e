package io.sluice.simulator.cluster;

import io.sluice.decide.plan.Density;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The owners of tokens, the actual rows there, and the proxy's estimate of them. Nodes take turns
 * on the ring, in a random order each round, with ranges of about equal size. Immutable.
 *
 * <p>The ring is a line here: range i ends at {@code ends[i]}, the last one at the greatest token,
 * and the last belongs to the owners of the first.
 */
final class Layout implements Density {
  static final String KEYSPACE = "ks";

  private static final double RING = 0x1p64;

  /** Largest distance of a range's end from its even position, as a share of a range. */
  private static final double JITTER = 0.5;

  private final long[] ends;
  private final List<List<Integer>> owners = new ArrayList<>();
  private final double[] rowsBefore;
  private final double[] estimateBefore;
  private final Ring ring;

  Layout(int nodes, ClusterSetting.Data data, SplittableRandom random) {
    int ranges = nodes * data.vnodes();
    this.ends = ends(ranges, data.vnodes() > 1 ? JITTER : 0, random);
    owners(nodes, data, random);
    this.rowsBefore = new double[ranges + 2];
    this.estimateBefore = new double[ranges + 2];
    fill(data, random);
    this.ring = new Ring(new Murmur3(), "dc", Map.of(), Map.of(KEYSPACE, replicas()));
  }

  /** Returns a node's id, which {@link #number} converts back. */
  static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  /** Returns the ids of the first nodes, as many as {@code count}. */
  static List<NodeId> ids(int count) {
    return IntStream.range(0, count).mapToObj(Layout::id).toList();
  }

  static int number(NodeId id) {
    return (int) id.hostId().getLeastSignificantBits();
  }

  Ring ring() {
    return ring;
  }

  /** Returns the number of ranges on the line. */
  int ranges() {
    return ends.length + 1;
  }

  /** Returns the range that contains {@code token}. */
  int rangeOf(long token) {
    int at = Arrays.binarySearch(ends, token);
    return at >= 0 ? at : -at - 1;
  }

  /** Returns the last token of a range. */
  long end(int range) {
    return range < ends.length ? ends[range] : Long.MAX_VALUE;
  }

  /** Returns the owners of a range, the primary replica first. */
  List<Integer> owners(int range) {
    return owners.get(range < ends.length ? range : 0);
  }

  /** Returns the rows with tokens up to {@code token}, from the beginning of the line. */
  long rowsUpTo(long token) {
    return (long) before(rowsBefore, token);
  }

  /** Returns the actual rows in {@code range}. */
  long actualRows(TokenRange range) {
    return rowsUpTo(upTo(range)) - rowsUpTo(after(range));
  }

  /** Returns the number of all rows. */
  long allRows() {
    return rowsUpTo(Long.MAX_VALUE);
  }

  /** Returns the token of the nth row after {@code after}, n from 1; the row must exist. */
  long tokenOfRow(long after, long nth) {
    long wanted = rowsUpTo(after) + nth;
    long low = after;
    long high = Long.MAX_VALUE;
    while (high - low > 1 || high - low < 0) {
      long middle = (low & high) + ((low ^ high) >> 1);
      if (rowsUpTo(middle) >= wanted) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  @Override
  public boolean known() {
    return true;
  }

  /** Returns the rows: each is a partition here. */
  @Override
  public double partitions(TokenRange range) {
    return rows(range);
  }

  @Override
  public double rows(TokenRange range) {
    return Math.max(0, before(estimateBefore, upTo(range)) - before(estimateBefore, after(range)));
  }

  /** Returns the token before the first of a range. */
  static long after(TokenRange range) {
    return range.after() instanceof Token.Murmur3 token ? token.value() : Long.MIN_VALUE;
  }

  /** Returns the last token of a range. */
  static long upTo(TokenRange range) {
    return range.upTo() instanceof Token.Murmur3 token ? token.value() : Long.MAX_VALUE;
  }

  private double before(double[] sums, long token) {
    int range = rangeOf(token);
    double start = range == 0 ? Long.MIN_VALUE : ends[range - 1];
    double share = ((double) token - start) / ((double) end(range) - start);
    return sums[range] + share * (sums[range + 1] - sums[range]);
  }

  private static long[] ends(int ranges, double jitter, SplittableRandom random) {
    long[] ends = new long[ranges];
    for (int i = 0; i < ranges; i++) {
      double place = (i + 0.5 + jitter * (random.nextDouble() - 0.5)) / ranges;
      ends[i] = (long) (place * RING - RING / 2);
    }
    return ends;
  }

  private void owners(int nodes, ClusterSetting.Data data, SplittableRandom random) {
    List<Integer> turns = new ArrayList<>();
    for (int round = 0; round < data.vnodes(); round++) {
      turns.addAll(shuffled(nodes, random));
    }
    for (int range = 0; range < turns.size(); range++) {
      List<Integer> replicas = new ArrayList<>(data.rf());
      for (int i = range; replicas.size() < data.rf(); i++) {
        int node = turns.get(i % turns.size());
        if (!replicas.contains(node)) {
          replicas.add(node);
        }
      }
      owners.add(List.copyOf(replicas));
    }
  }

  private static List<Integer> shuffled(int nodes, SplittableRandom random) {
    List<Integer> order = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      order.add(random.nextInt(order.size() + 1), node);
    }
    return order;
  }

  private void fill(ClusterSetting.Data data, SplittableRandom random) {
    double total = data.rowsPerRange() * ends.length;
    for (int range = 0; range < ranges(); range++) {
      double start = range == 0 ? Long.MIN_VALUE : ends[range - 1];
      double share = ((double) end(range) - start) / RING;
      double rows = total * share * Math.exp(data.unevenness() * random.nextGaussian());
      double estimate = rows * Math.exp(data.estimateError() * random.nextGaussian());
      rowsBefore[range + 1] = rowsBefore[range] + rows;
      estimateBefore[range + 1] = estimateBefore[range] + estimate;
    }
  }

  private Ring.Replicas replicas() {
    List<Token> tokens = new ArrayList<>(ends.length);
    List<List<NodeId>> ids = new ArrayList<>(ends.length);
    for (int range = 0; range < ends.length; range++) {
      tokens.add(new Token.Murmur3(ends[range]));
      ids.add(owners.get(range).stream().map(Layout::id).toList());
    }
    return new Ring.Replicas(tokens, ids);
  }
}
