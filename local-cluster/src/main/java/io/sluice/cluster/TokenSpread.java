package io.sluice.cluster;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Assigns tokens to all nodes in advance, so that they can start at the same time. Cuts the ring
 * into pieces of equal size. Each block of neighbouring pieces is dealt out to all nodes in a
 * shuffled order, the same in every run.
 */
final class TokenSpread {
  private final ClusterPartitioner partitioner;
  private final TreeSet<BigInteger> taken = new TreeSet<>();

  TokenSpread(ClusterPartitioner partitioner) {
    this.partitioner = partitioner;
  }

  /**
   * Returns the tokens of each node, in node order: {@code vnodes} tokens for each of {@code nodes}
   * nodes.
   */
  List<List<String>> even(int nodes, int vnodes) {
    List<List<String>> tokens = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      tokens.add(new ArrayList<>());
    }
    for (int block = 0; block < vnodes; block++) {
      List<Integer> order = order(nodes, block);
      for (int place = 0; place < nodes; place++) {
        BigInteger position = position(block * nodes + place, nodes * vnodes);
        taken.add(position);
        tokens.get(order.get(place)).add(partitioner.tokenAt(position));
      }
    }
    return tokens;
  }

  /**
   * Returns the tokens of an additional node: the middle of the widest gap, {@code vnodes} times.
   */
  List<String> oneMore(int vnodes) {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < vnodes; i++) {
      BigInteger position = middleOfWidestGap();
      taken.add(position);
      tokens.add(partitioner.tokenAt(position));
    }
    return tokens;
  }

  private static List<Integer> order(int nodes, int block) {
    List<Integer> order = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      order.add(node);
    }
    if (block > 0) {
      Collections.shuffle(order, new Random(block));
    }
    return order;
  }

  /**
   * Returns a position half a piece away from the start, so that no node gets the partitioner's
   * minimum token.
   */
  private BigInteger position(int index, int count) {
    return partitioner
        .ringSize()
        .multiply(BigInteger.valueOf(2L * index + 1))
        .divide(BigInteger.valueOf(2L * count));
  }

  private BigInteger middleOfWidestGap() {
    BigInteger start = taken.last().subtract(partitioner.ringSize());
    BigInteger widest = BigInteger.ZERO;
    BigInteger middle = BigInteger.ZERO;
    for (BigInteger end : taken) {
      BigInteger gap = end.subtract(start);
      if (gap.compareTo(widest) > 0) {
        widest = gap;
        middle = start.add(gap.shiftRight(1)).mod(partitioner.ringSize());
      }
      start = end;
    }
    return middle;
  }
}
