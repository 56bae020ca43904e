package io.sluice.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests which statements a lane keeps. */
class StatementTableTest {

  private static final long QUICK = TimeUnit.MICROSECONDS.toNanos(300);
  private static final long SLOW = TimeUnit.SECONDS.toNanos(30);

  private final StatementTable table = new StatementTable(8, 0);
  private long now;

  private void call(long digest, String role, long took) {
    Entry known = table.find(digest, role, took, now);
    Entry entry =
        known != null
            ? known
            : table.enter(
                digest,
                role,
                took,
                () -> new StatementFacts(digest, role, "t" + digest, null, null, "", new Cost()));
    (entry == null ? table.others() : entry.cost).called(took, 0);
  }

  private void calls(int times, long digest, String role) {
    for (int i = 0; i < times; i++) {
      call(digest, role, QUICK);
    }
  }

  private long calls(long digest, String role) {
    return table.facts().stream()
        .filter(each -> each.digest() == digest && each.role().equals(role))
        .mapToLong(each -> each.cost().calls())
        .sum();
  }

  private long allCalls() {
    return table.facts().stream().mapToLong(each -> each.cost().calls()).sum();
  }

  /** Calls each of {@code texts} random statements once. */
  private void flood(int texts, String role) {
    Random random = new Random(7);
    for (int i = 0; i < texts; i++) {
      call(random.nextLong(), role, QUICK);
    }
  }

  @Test
  void each_role_has_its_own_count() {
    calls(3, 1, "a");
    calls(2, 1, "b");
    assertThat(calls(1, "a")).isEqualTo(3);
    assertThat(calls(1, "b")).isEqualTo(2);
  }

  @Test
  void a_million_statements_called_once_do_not_evict_frequent_ones() {
    for (long digest = 1; digest <= 8; digest++) {
      calls(20, digest, "a");
    }
    flood(1_000_000, "a");
    for (long digest = 1; digest <= 8; digest++) {
      assertThat(calls(digest, "a")).as("statement %s", digest).isEqualTo(20);
    }
    assertThat(table.facts()).hasSize(9);
    assertThat(allCalls()).as("calls counted").isEqualTo(1_000_160);
  }

  @Test
  void a_frequent_statement_replaces_rare_ones() {
    flood(1_000, "a");
    calls(50, 1, "a");
    assertThat(calls(1, "a")).isGreaterThan(40);
    assertThat(allCalls()).isEqualTo(1_050);
  }

  @Test
  void a_slow_statement_is_kept_at_once() {
    flood(1_000, "a");
    call(1, "a", SLOW);
    assertThat(calls(1, "a")).isEqualTo(1);
  }

  @Test
  void a_busy_role_leaves_half_of_the_table_to_others() {
    for (long digest = 1; digest <= 4; digest++) {
      calls(2, digest, "quiet");
    }
    for (int round = 0; round < 100; round++) {
      for (long digest = 100; digest < 150; digest++) {
        call(digest, "loud", SLOW);
      }
    }
    for (long digest = 1; digest <= 4; digest++) {
      assertThat(calls(digest, "quiet")).isEqualTo(2);
    }
  }

  @Test
  void statements_used_long_ago_are_replaced() {
    for (long digest = 1; digest <= 8; digest++) {
      calls(10_000, digest, "a");
    }
    for (int hour = 0; hour < 24; hour++) {
      now += TimeUnit.MINUTES.toNanos(61);
      calls(100, 99, "a");
    }
    assertThat(calls(99, "a")).isPositive();
  }

  @Test
  void a_table_of_size_zero_keeps_no_statement() {
    StatementTable none = new StatementTable(0, 0);
    assertThat(none.find(1, "a", QUICK, 0)).isNull();
    assertThat(none.enter(1, "a", QUICK, () -> StatementFacts.others(new Cost()))).isNull();
  }
}
