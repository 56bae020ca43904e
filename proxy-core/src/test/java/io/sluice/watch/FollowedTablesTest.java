package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.TableName;
import io.sluice.watch.FollowedTables.Due;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the tables that are followed, and the order and times of their readings. */
class FollowedTablesTest {

  private static final TableName T = table(1);
  private static final TableName U = table(2);

  private long now = 17;

  private final FollowedTables tables = new FollowedTables(() -> now);

  private static TableName table(int number) {
    return new TableName("ks", "t" + number);
  }

  private void minutes(int count) {
    now += TimeUnit.MINUTES.toNanos(count);
  }

  /** Wants a table, and takes it as the next one to read. */
  private Due first(TableName table) {
    tables.want(table);
    Due due = Objects.requireNonNull(tables.next());
    assertThat(due.table()).isEqualTo(table);
    return due;
  }

  /** Follows so many tables after {@code T} that it gives way. */
  private void dropT() {
    first(T);
    for (int i = 0; i < FollowedTables.MAX_TABLES; i++) {
      first(table(100 + i));
    }
  }

  private List<TableName> allDue() {
    List<TableName> all = new ArrayList<>();
    for (Due next = tables.next(); next != null; next = tables.next()) {
      all.add(next.table());
    }
    return all;
  }

  @Test
  void a_wanted_table_is_due_once() {
    assertThat(tables.isAnyDue()).isFalse();
    tables.want(T);
    tables.want(T);
    assertThat(tables.isAnyDue()).isTrue();
    assertThat(allDue()).containsExactly(T);
    tables.want(T);
    assertThat(tables.isAnyDue()).isFalse();
    assertThat(tables.contains(T)).isTrue();
  }

  @Test
  void a_table_that_changes_is_due_after_each_minute() {
    Due due = first(T);
    for (int i = 0; i < 3; i++) {
      tables.readAgain(due, true);
      assertThat(tables.isAnyDue()).isFalse();
      minutes(1);
      due = Objects.requireNonNull(tables.next());
      assertThat(due.table()).isEqualTo(T);
    }
  }

  @Test
  void a_table_that_does_not_change_is_due_after_1_2_4_and_then_5_minutes() {
    Due due = first(T);
    for (int minutes : new int[] {1, 2, 4, 5, 5}) {
      tables.readAgain(due, false);
      minutes(minutes - 1);
      now += TimeUnit.SECONDS.toNanos(59);
      assertThat(tables.isAnyDue()).isFalse();
      now += TimeUnit.SECONDS.toNanos(1);
      due = Objects.requireNonNull(tables.next());
    }
    tables.readAgain(due, true);
    minutes(1);
    assertThat(allDue()).as("after a change").containsExactly(T);
  }

  @Test
  void new_tables_come_before_tables_that_have_been_read() {
    tables.readAgain(first(T), true);
    minutes(1);
    tables.want(U);
    assertThat(allDue()).containsExactly(U, T);
  }

  @Test
  void of_tables_that_have_been_read_the_one_that_waits_longest_comes_first() {
    Due longer = first(T);
    tables.readAgain(longer, false);
    minutes(1);
    longer = Objects.requireNonNull(tables.next());
    tables.readAgain(first(U), true);
    tables.readAgain(longer, false);
    minutes(2);
    assertThat(allDue()).containsExactly(U, T);
  }

  @Test
  void the_order_of_readings_holds_while_the_clock_overflows() {
    now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(90);
    tables.readAgain(first(T), true);
    now += TimeUnit.SECONDS.toNanos(40);
    tables.readAgain(first(U), true);
    now += TimeUnit.SECONDS.toNanos(20);
    assertThat(allDue()).containsExactly(T);
    now += TimeUnit.SECONDS.toNanos(40);
    assertThat(allDue()).containsExactly(U);
  }

  @Test
  void a_forgotten_table_is_not_due_until_it_is_wanted_again() {
    tables.readAgain(first(T), true);
    tables.forget(T);
    minutes(1);
    assertThat(tables.next()).isNull();
    assertThat(tables.contains(T)).isFalse();
    first(T);
  }

  @Test
  void tables_wanted_while_too_many_wait_are_not_followed() {
    for (int i = 0; i <= FollowedTables.MAX_WAITING; i++) {
      tables.want(table(i));
    }
    assertThat(allDue()).hasSize(FollowedTables.MAX_WAITING);
    assertThat(tables.contains(table(FollowedTables.MAX_WAITING))).isFalse();
  }

  @Test
  void of_too_many_tables_the_least_recently_wanted_gives_way() {
    tables.readAgain(first(T), true);
    tables.readAgain(first(U), true);
    for (int i = 2; i < FollowedTables.MAX_TABLES; i++) {
      first(table(100 + i));
    }
    tables.want(T);
    assertThat(tables.takeDropped()).isEmpty();
    first(table(99));
    assertThat(tables.takeDropped()).containsExactly(U);
    assertThat(tables.takeDropped()).as("each once").isEmpty();
    minutes(1);
    assertThat(allDue()).containsExactly(T);
  }

  @Test
  void a_table_that_gave_way_is_not_followed_again_for_five_minutes() {
    dropT();
    minutes(5);
    now--;
    tables.want(T);
    assertThat(tables.isAnyDue()).isFalse();
    now++;
    first(T);
  }

  /** Otherwise a client could fill the memory with names. */
  @Test
  void of_the_tables_that_gave_way_a_limited_number_is_remembered() {
    dropT();
    for (int i = 0; i < FollowedTables.MAX_REMEMBERED - 1; i++) {
      first(table(10_000 + i));
    }
    tables.want(T);
    assertThat(tables.isAnyDue()).as("remembered, and now the last to be forgotten").isFalse();
    first(table(9_999));
    first(table(100));
  }
}
