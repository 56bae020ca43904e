package io.sluice.decide.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.share.ShareRule.Scan;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the rule for shared scans on a ring from 0 to 10,000 with one row for each token. */
class ShareRuleTest {

  private static final int END = OneRowPerToken.END;
  private static final OneRowPerToken ROWS = new OneRowPerToken();

  private final ShareRule rule = new ShareRule(ROWS, 1_000, 1_000);

  private static Scan scan(long after, long upTo, int rows) {
    return new Scan(new TokenRange(new Token.Murmur3(after), new Token.Murmur3(upTo)), rows);
  }

  private static Scan scan(long after, int rows) {
    return scan(after, END, rows);
  }

  @Test
  void a_read_inside_another_is_shared() {
    assertThat(rule.along(scan(100, 200), List.of(scan(150, 50)))).containsExactly(0);
  }

  @Test
  void a_read_that_begins_earlier_is_shared_if_a_third_of_its_rows_overlap() {
    assertThat(rule.along(scan(100, 200), List.of(scan(41, 90), scan(39, 90))))
        .containsExactly(0, 1);
    assertThat(rule.along(scan(100, 200), List.of(scan(39, 90)))).isEmpty();
  }

  @Test
  void a_read_that_ends_later_is_shared_if_a_third_of_its_rows_overlap() {
    assertThat(rule.along(scan(100, 200), List.of(scan(269, 90)))).containsExactly(0);
    assertThat(rule.along(scan(100, 200), List.of(scan(271, 90)))).isEmpty();
  }

  @Test
  void a_read_that_overlaps_only_a_rider_is_shared_after_that_rider() {
    assertThat(rule.along(scan(100, 100), List.of(scan(200, 100), scan(150, 100))))
        .containsExactly(1, 0);
  }

  @Test
  void a_read_of_other_rows_is_not_shared() {
    assertThat(rule.along(scan(100, 100), List.of(scan(300, 100), scan(0, 50)))).isEmpty();
  }

  @Test
  void a_read_counts_no_more_rows_than_its_range_holds() {
    assertThat(rule.along(scan(100, 100), List.of(scan(190, 210, 5_000)))).containsExactly(0);
  }

  @Test
  void a_shared_scan_has_at_most_the_permitted_rows() {
    assertThat(rule.along(scan(0, 900), List.of(scan(500, 501), scan(500, 500))))
        .containsExactly(1);
  }

  @Test
  void a_short_read_does_not_share_with_a_chain_of_longer_ones() {
    ShareRule careful = new ShareRule(ROWS, 100_000, 300);
    List<Scan> chain = new ArrayList<>();
    for (int rows = 30; rows < 10_000; rows *= 3) {
      chain.add(scan(0, rows));
    }

    List<Integer> along = careful.along(scan(0, 10), chain);

    assertThat(along).containsExactly(0, 1, 2);
    assertThat(chain.get(2).rows()).isEqualTo(270);
  }

  @Test
  void a_shared_scan_reads_at_most_twice_the_rows_of_its_first_read_and_a_few_more() {
    ShareRule careful = new ShareRule(ROWS, 100_000, 50);
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      Scan first = any(random);
      List<Scan> others = new ArrayList<>();
      for (int n = 0; n < 40; n++) {
        others.add(any(random));
      }
      boolean[] read = new boolean[END + 1];
      int own = mark(first, read);
      int more = 0;
      for (int index : careful.along(first, others)) {
        more += mark(others.get(index), read);
      }
      assertThat(more).as("seed %d", seed).isLessThanOrEqualTo(own + 50);
    }
  }

  @Test
  void a_shared_scan_begins_at_the_earliest_and_ends_at_the_latest_range() {
    Scan all = rule.together(List.of(scan(100, 300, 50), scan(90, 250, 20), scan(120, 400, 30)));
    assertThat(all.range()).isEqualTo(scan(90, 400, 1).range());
  }

  @Test
  void open_ranges_reach_the_ends_of_the_ring() {
    Scan first = new Scan(new TokenRange(null, new Token.Murmur3(500)), 100);
    Scan last = new Scan(new TokenRange(new Token.Murmur3(50), null), 100);
    assertThat(rule.along(first, List.of(last))).containsExactly(0);
    assertThat(rule.along(last, List.of(first))).containsExactly(0);
    assertThat(rule.together(List.of(last, first)).range()).isEqualTo(TokenRange.ALL);
  }

  @Test
  void a_shared_scan_asks_for_spare_rows_for_a_read_that_begins_later() {
    assertThat(rule.together(List.of(scan(0, 100), scan(100, 100))).rows()).isEqualTo(220);
    assertThat(rule.together(List.of(scan(0, 100), scan(0, 70))).rows()).isEqualTo(100);
  }

  @Test
  void a_third_of_a_riders_rows_are_already_read_and_no_gap_remains() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      Scan first = any(random);
      List<Scan> others = new ArrayList<>();
      for (int n = random.nextInt(30); n > 0; n--) {
        others.add(any(random));
      }
      List<Integer> along = rule.along(first, others);
      assertThat(along).as("seed %d", seed).doesNotHaveDuplicates();
      boolean[] read = new boolean[END + 1];
      mark(first, read);
      List<Scan> all = new ArrayList<>(List.of(first));
      for (int index : along) {
        Scan other = others.get(index);
        int own = mark(other, read);
        assertThat(own).as("seed %d", seed).isLessThanOrEqualTo(rows(other) * 2 / 3);
        all.add(other);
      }
      int total = 0;
      int runs = 0;
      for (int t = 1; t <= END; t++) {
        total += read[t] ? 1 : 0;
        runs += read[t] && !read[t - 1] ? 1 : 0;
      }
      assertThat(runs).as("seed %d", seed).isEqualTo(1);
      assertThat(total).as("seed %d", seed).isLessThanOrEqualTo(1_000);
      assertThat(rule.together(all).rows()).as("seed %d", seed).isBetween(total, 1_000);
    }
  }

  private static Scan any(Random random) {
    long after = random.nextLong(0, 3_000);
    return scan(after, random.nextLong(after + 1, END), 1 + random.nextInt(600));
  }

  private static int rows(Scan scan) {
    return (int) Math.min(scan.rows(), ROWS.rows(scan.range()));
  }

  /** Marks the rows of a scan. Returns how many were not marked before. */
  private static int mark(Scan scan, boolean[] read) {
    int fresh = 0;
    int after = (int) ROWS.rows(new TokenRange(null, scan.range().after()));
    for (int t = after + 1; t <= after + rows(scan); t++) {
      fresh += read[t] ? 0 : 1;
      read[t] = true;
    }
    return fresh;
  }
}
