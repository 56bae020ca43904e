package io.sluice.decide.predict;

import static io.sluice.decide.predict.Places.between;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedPartitionsTest {

  private static Counted counted(double from, double to, long partitions) {
    return new Counted(between(from, to), partitions, 100);
  }

  private static PublishedPartitions of(Counted... counted) {
    return new PublishedPartitions(List.of(counted));
  }

  @Test
  void without_counts_a_table_is_unknown() {
    assertThat(PublishedPartitions.NONE.known()).isFalse();
    assertThat(PublishedPartitions.NONE.in(TokenRange.ALL)).isZero();
    assertThat(PublishedPartitions.NONE.meanBytes()).isZero();
  }

  @Test
  void partitions_lie_in_the_ranges_in_which_they_were_counted() {
    PublishedPartitions table = of(counted(0, 0.25, 900), counted(0.25, 1, 100));
    assertThat(table.total()).isCloseTo(1000, within(1e-6));
    assertThat(table.in(between(0, 0.25))).isCloseTo(900, within(1e-6));
    assertThat(table.in(between(0.125, 0.625))).isCloseTo(500, within(1e-6));
    assertThat(table.in(between(0.3, 0.3))).isZero();
    assertThat(table.in(between(0.4, 0.3))).isZero();
  }

  @Test
  void ranges_narrower_than_a_bucket_add_up() {
    Counted[] many = new Counted[3_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = counted(i / 3_000.0, (i + 1) / 3_000.0, 10);
    }
    assertThat(of(many).total()).isCloseTo(30_000, within(1.0));
    assertThat(of(many).in(between(0.2, 0.7))).isCloseTo(15_000, within(1.0));
  }

  @Test
  void counts_of_several_nodes_for_one_range_are_averaged() {
    PublishedPartitions table =
        of(counted(0, 0.5, 100), counted(0.5, 1, 300), counted(0, 0.5, 110), counted(0.5, 1, 330));
    assertThat(table.in(between(0, 0.5))).isCloseTo(105, within(1e-6));
    assertThat(table.total()).isCloseTo(420, within(1e-6));
  }

  @Test
  void an_uncounted_range_is_as_dense_as_the_rest() {
    PublishedPartitions table = of(counted(0, 0.5, 100), counted(0.75, 1, 50));
    assertThat(table.in(between(0.5, 0.75))).isCloseTo(50, within(1e-6));
    assertThat(table.total()).isCloseTo(200, within(1e-6));
  }

  @Test
  void keys_in_byte_order_are_estimated_by_the_counted_ranges() {
    Token g = new Token.Ordered("67");
    Token p = new Token.Ordered("70");
    PublishedPartitions table =
        of(
            new Counted(new TokenRange(null, g), 10, 1),
            new Counted(new TokenRange(g, p), 20, 1),
            new Counted(new TokenRange(p, null), 30, 1));
    assertThat(table.known()).isTrue();
    assertThat(table.in(TokenRange.ALL)).isEqualTo(60);
    assertThat(table.in(new TokenRange(g, p))).isEqualTo(20);
    assertThat(table.in(new TokenRange(new Token.Ordered("68"), null))).isEqualTo(40);
  }

  @Test
  void the_mean_size_is_that_of_all_partitions() {
    PublishedPartitions table =
        of(new Counted(between(0, 0.5), 1, 1000), new Counted(between(0.5, 1), 9, 0));
    assertThat(table.meanBytes()).isEqualTo(100);
  }
}
