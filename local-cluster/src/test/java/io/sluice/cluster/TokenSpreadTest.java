package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TokenSpreadTest {
  private static final BigInteger MURMUR3_RING = BigInteger.ONE.shiftLeft(64);

  @Test
  void one_token_each_cuts_the_ring_into_equal_pieces() {
    List<List<String>> tokens = new TokenSpread(ClusterPartitioner.MURMUR3).even(3, 1);

    assertThat(tokens)
        .containsExactly(
            List.of("-6148914691236517206"), List.of("0"), List.of("6148914691236517205"));
  }

  @Test
  void every_node_owns_the_same_share_with_many_tokens() {
    long seed = 20_261_121L;
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      int nodes = 1 + random.nextInt(6);
      int vnodes = 1 + random.nextInt(32);
      List<List<String>> tokens = new TokenSpread(ClusterPartitioner.MURMUR3).even(nodes, vnodes);
      List<BigInteger> sorted =
          tokens.stream().flatMap(List::stream).map(BigInteger::new).sorted().toList();

      assertThat(tokens).as("seed %d round %d", seed, round).allMatch(t -> t.size() == vnodes);
      assertThat(new HashSet<>(sorted)).hasSize(nodes * vnodes);
      BigInteger piece = MURMUR3_RING.divide(BigInteger.valueOf((long) nodes * vnodes));
      for (int i = 1; i < sorted.size(); i++) {
        assertThat(sorted.get(i).subtract(sorted.get(i - 1)).subtract(piece).abs())
            .as("seed %d round %d", seed, round)
            .isLessThanOrEqualTo(BigInteger.ONE);
      }
    }
  }

  @Test
  void neighbours_differ_from_block_to_block() {
    List<List<String>> tokens = new TokenSpread(ClusterPartitioner.MURMUR3).even(3, 16);

    assertThat(ownersInRingOrder(tokens)).doesNotMatch("(012)*");
  }

  @Test
  void every_run_gives_the_same_ring() {
    assertThat(new TokenSpread(ClusterPartitioner.RANDOM).even(4, 16))
        .isEqualTo(new TokenSpread(ClusterPartitioner.RANDOM).even(4, 16));
  }

  @Test
  void random_tokens_stay_between_zero_and_two_to_the_127() {
    assertThat(new TokenSpread(ClusterPartitioner.RANDOM).even(3, 4))
        .allSatisfy(
            node ->
                assertThat(node)
                    .map(BigInteger::new)
                    .allMatch(t -> t.signum() >= 0 && t.bitLength() <= 127));
  }

  @Test
  void byte_ordered_tokens_are_hex_of_equal_length() {
    assertThat(new TokenSpread(ClusterPartitioner.BYTEORDERED).even(2, 1))
        .containsExactly(List.of("4000000000000000"), List.of("c000000000000000"));
  }

  @Test
  void one_more_node_takes_the_middles_of_the_widest_gaps() {
    TokenSpread spread = new TokenSpread(ClusterPartitioner.MURMUR3);
    spread.even(2, 1);

    assertThat(spread.oneMore(1)).containsExactly("-9223372036854775808");
    assertThat(spread.oneMore(1)).containsExactly("0");
  }

  @Test
  void no_token_is_given_twice_as_nodes_join() {
    TokenSpread spread = new TokenSpread(ClusterPartitioner.MURMUR3);
    List<String> all = new ArrayList<>();
    spread.even(3, 16).forEach(all::addAll);
    all.addAll(spread.oneMore(16));
    all.addAll(spread.oneMore(16));

    assertThat(all).doesNotHaveDuplicates().hasSize(5 * 16);
  }

  private static String ownersInRingOrder(List<List<String>> tokens) {
    return tokens.stream()
        .flatMap(List::stream)
        .map(BigInteger::new)
        .sorted()
        .map(t -> ownerOf(t.toString(), tokens))
        .collect(Collectors.joining());
  }

  private static String ownerOf(String token, List<List<String>> tokens) {
    for (int node = 0; node < tokens.size(); node++) {
      if (tokens.get(node).contains(token)) {
        return Integer.toString(node);
      }
    }
    throw new AssertionError("no node owns " + token);
  }
}
