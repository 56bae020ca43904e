package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tokens, owners and rows of a simulated ring. */
class LayoutTest {
  private static final long FIRST = Long.MIN_VALUE + 1;

  private static Layout layout(int nodes, Data data, long seed) {
    return new Layout(nodes, data, new SplittableRandom(seed));
  }

  private static Layout even(int nodes) {
    return layout(nodes, new Data(1, 1, 100, 0, 0), 1);
  }

  private static TokenRange range(long after, long upTo) {
    return new TokenRange(new Token.Murmur3(after), new Token.Murmur3(upTo));
  }

  @Test
  void an_additional_range_closes_the_ring() {
    Layout layout = even(4);

    assertThat(layout.ranges()).isEqualTo(5);
    assertThat(layout.end(4)).isEqualTo(Long.MAX_VALUE);
    assertThat(layout.owners(4)).isEqualTo(layout.owners(0));
  }

  @Test
  void without_vnodes_the_ranges_are_equal() {
    Layout layout = even(4);

    long quarter = Long.MAX_VALUE / 2;
    for (int range = 1; range < 4; range++) {
      assertThat((double) layout.end(range) - layout.end(range - 1))
          .isCloseTo((double) quarter, within(4096.0));
    }
  }

  @Test
  void a_range_contains_its_end_and_the_next_token_is_in_the_next_range() {
    Layout layout = even(4);

    for (int range = 0; range < 4; range++) {
      assertThat(layout.rangeOf(layout.end(range))).isEqualTo(range);
      assertThat(layout.rangeOf(layout.end(range) + 1)).isEqualTo(range + 1);
    }
    assertThat(layout.rangeOf(FIRST)).isZero();
    assertThat(layout.rangeOf(Long.MAX_VALUE)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void the_range_of_a_token_is_the_first_that_ends_at_or_after_it(long seed) {
    Layout layout = layout(5, new Data(2, 8, 10, 0, 0), seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      long token = random.nextLong();
      int expected = 0;
      while (layout.end(expected) < token) {
        expected++;
      }
      assertThat(layout.rangeOf(token)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 1, 1", "3, 3, 1", "5, 3, 4", "12, 3, 16", "2, 2, 256"})
  void each_range_has_as_many_distinct_owners_as_replicas(int nodes, int rf, int vnodes) {
    Layout layout = layout(nodes, new Data(rf, vnodes, 10, 0, 0), 7);
    for (int range = 0; range < layout.ranges(); range++) {
      List<Integer> owners = layout.owners(range);
      assertThat(owners).hasSize(rf).doesNotHaveDuplicates();
      assertThat(owners).allMatch(node -> node >= 0 && node < nodes);
    }
  }

  @Test
  void all_nodes_are_first_owners_equally_often() {
    int vnodes = 16;
    Layout layout = layout(5, new Data(3, vnodes, 10, 0, 0), 3);
    int[] first = new int[5];
    for (int range = 0; range + 1 < layout.ranges(); range++) {
      first[layout.owners(range).get(0)]++;
    }
    assertThat(first).containsOnly(vnodes);
  }

  @Test
  void the_proxys_ring_has_the_same_owners() {
    Layout layout = layout(4, new Data(2, 4, 10, 0, 0), 5);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200; i++) {
      long token = random.nextLong();
      List<NodeId> ids = layout.owners(layout.rangeOf(token)).stream().map(Layout::id).toList();
      assertThat(layout.ring().replicas(Layout.KEYSPACE, new Token.Murmur3(token))).isEqualTo(ids);
    }
  }

  @Test
  void the_number_of_a_node_follows_from_its_id() {
    for (int node = 0; node < 1000; node += 37) {
      assertThat(Layout.number(Layout.id(node))).isEqualTo(node);
    }
  }

  @Test
  void the_number_of_rows_is_ranges_times_rows_of_a_range() {
    assertThat(even(4).allRows()).isEqualTo(400);
    assertThat(layout(3, new Data(1, 8, 50, 0, 0), 2).allRows()).isBetween(1199L, 1200L);
  }

  @Test
  void half_of_a_range_has_half_of_its_rows() {
    Layout layout = even(2);
    long begin = layout.end(0);
    long middle = (begin >> 1) + (layout.end(1) >> 1);

    assertThat(layout.actualRows(range(begin, middle))).isBetween(49L, 51L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void rows_of_adjacent_ranges_add_up(long seed) {
    Layout layout = layout(3, new Data(1, 4, 1000, 1, 0.5), seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      long[] tokens = random.longs(3).sorted().toArray();
      assertThat(layout.actualRows(range(tokens[0], tokens[2])))
          .isEqualTo(
              layout.actualRows(range(tokens[0], tokens[1]))
                  + layout.actualRows(range(tokens[1], tokens[2])));
      assertThat(layout.actualRows(range(tokens[0], tokens[1]))).isNotNegative();
    }
  }

  @Test
  void a_range_without_bounds_holds_all_rows() {
    Layout layout = even(4);

    assertThat(layout.actualRows(new TokenRange(null, null))).isEqualTo(layout.allRows());
    assertThat(layout.rows(new TokenRange(null, null))).isCloseTo(400, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void the_token_of_the_nth_row_is_the_first_with_n_rows_up_to_it(long seed) {
    Layout layout = layout(3, new Data(1, 4, 100, 0.7, 0), seed);
    SplittableRandom random = new SplittableRandom(seed);
    long all = layout.allRows();
    for (int i = 0; i < 100; i++) {
      long after = random.nextLong();
      long left = all - layout.rowsUpTo(after);
      if (left > 0) {
        long nth = 1 + random.nextLong(left);
        long token = layout.tokenOfRow(after, nth);
        assertThat(layout.rowsUpTo(token) - layout.rowsUpTo(after)).isEqualTo(nth);
        assertThat(layout.rowsUpTo(token - 1)).isLessThan(layout.rowsUpTo(token));
      }
    }
  }

  @Test
  void without_an_error_the_estimate_is_the_actual_row_count() {
    Layout layout = layout(4, new Data(1, 4, 1000, 1, 0), 9);
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 100; i++) {
      long[] tokens = random.longs(2).sorted().toArray();
      TokenRange range = range(tokens[0], tokens[1]);
      assertThat(layout.rows(range)).isCloseTo((double) layout.actualRows(range), within(1.0));
      assertThat(layout.partitions(range)).isEqualTo(layout.rows(range));
    }
    assertThat(layout.known()).isTrue();
  }

  @Test
  void an_error_changes_the_estimate_by_its_standard_deviation() {
    Layout layout = layout(12, new Data(1, 16, 1000, 0, 0.5), 9);
    double squares = 0;
    for (int i = 1; i + 1 < layout.ranges(); i++) {
      TokenRange range = range(layout.end(i - 1), layout.end(i));
      double logarithm = Math.log(layout.rows(range) / layout.actualRows(range));
      squares += logarithm * logarithm;
    }
    assertThat(Math.sqrt(squares / (layout.ranges() - 2))).isCloseTo(0.5, within(0.1));
  }

  @Test
  void unevenness_makes_ranges_differ_in_size() {
    assertThat(sizes(layout(8, new Data(1, 1, 1000, 0, 0), 4))).hasSizeLessThanOrEqualTo(3);
    assertThat(sizes(layout(8, new Data(1, 1, 1000, 1, 0), 4))).hasSizeGreaterThan(5);
  }

  private static Set<Long> sizes(Layout layout) {
    Set<Long> sizes = new HashSet<>();
    for (int i = 1; i + 1 < layout.ranges(); i++) {
      sizes.add(layout.actualRows(range(layout.end(i - 1), layout.end(i))));
    }
    return sizes;
  }

  @Test
  void the_same_seed_makes_the_same_ring() {
    Data data = new Data(2, 8, 100, 1, 1);
    Layout one = layout(5, data, 1);
    Layout same = layout(5, data, 1);
    Layout other = layout(5, data, 2);
    TokenRange range = range(-1L << 61, 1L << 61);

    assertThat(same.rows(range)).isEqualTo(one.rows(range));
    assertThat(same.end(3)).isEqualTo(one.end(3));
    assertThat(other.rows(range)).isNotEqualTo(one.rows(range));
  }
}
