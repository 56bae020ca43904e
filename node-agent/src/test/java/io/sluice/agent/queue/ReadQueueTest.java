package io.sluice.agent.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadQueueTest {
  private static final long AGE_LIMIT = 1000;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger doubts = new AtomicInteger();
  private final ReadQueue queue =
      new ReadQueue(Task.CLASSIFIER, AGE_LIMIT, now::get, fault -> doubts.incrementAndGet());

  @Test
  void point_reads_go_before_range_reads_and_local_ones_before_remote_ones() {
    add(
        Task.range("range", 1, 10),
        Task.remotePoint("remote 1"),
        Task.localPoint("local 1"),
        Task.remotePoint("remote 2"),
        Task.localPoint("local 2"));

    assertThat(drained()).containsExactly("local 1", "local 2", "remote 1", "remote 2", "range");
  }

  @Test
  void range_reads_go_by_width_then_by_rows_then_by_arrival() {
    add(
        Task.range("wide", 3, 1),
        Task.range("many rows", 1, 5000),
        Task.range("few rows", 1, 10),
        Task.range("few rows, later", 1, 10));

    assertThat(drained()).containsExactly("few rows", "few rows, later", "many rows", "wide");
  }

  @Test
  void an_unknown_task_is_treated_as_a_local_point_read() {
    add(Task.range("range", 1, 1), Task.unknown("unknown"), Task.localPoint("point"));

    assertThat(drained()).containsExactly("unknown", "point", "range");
    assertThat(queue.report().unknown()).isEqualTo(1);
  }

  @Test
  void a_classifier_that_throws_makes_the_task_unknown() {
    ReadQueue broken =
        new ReadQueue(
            task -> {
              throw new NoSuchFieldError("gone");
            },
            AGE_LIMIT,
            now::get,
            fault -> doubts.incrementAndGet());
    broken.add("a");
    broken.add("b");

    assertThat(broken.poll()).isEqualTo("a");
    assertThat(broken.poll()).isEqualTo("b");
    assertThat(broken.report().unknown()).isEqualTo(2);
  }

  @Test
  void an_overdue_range_read_goes_first_and_every_second_time_only() {
    add(Task.range("range 1", 1, 1), Task.range("range 2", 1, 1));
    now.set(AGE_LIMIT);
    add(Task.localPoint("point 1"), Task.localPoint("point 2"), Task.localPoint("point 3"));

    assertThat(drained()).containsExactly("range 1", "point 1", "range 2", "point 2", "point 3");
    assertThat(queue.report().aged()).isEqualTo(2);
  }

  @Test
  void a_range_read_that_is_not_overdue_waits() {
    add(Task.range("range", 1, 1));
    now.set(AGE_LIMIT - 1);
    add(Task.localPoint("point"));

    assertThat(queue.poll()).hasToString("point");
  }

  @Test
  void a_remote_point_read_ages_ten_times_faster() {
    add(Task.remotePoint("remote"));
    now.set(AGE_LIMIT / 10);
    add(Task.localPoint("local"));

    assertThat(drained()).containsExactly("remote", "local");
  }

  @Test
  void a_task_is_overdue_after_half_of_its_own_time() {
    add(new Task("hurried", TaskClass.range(1, 1, 600)));
    now.set(300);
    add(Task.localPoint("point"));

    assertThat(drained()).containsExactly("hurried", "point");
  }

  @Test
  void an_overdue_wide_range_read_goes_before_a_narrow_one() {
    add(Task.range("wide", 9, 1));
    now.set(AGE_LIMIT);
    add(Task.range("narrow", 1, 1));

    assertThat(drained()).containsExactly("wide", "narrow");
  }

  @Test
  void a_task_whose_deadline_is_over_goes_first_of_all() {
    add(Task.localPoint("point"), new Task("late", TaskClass.range(9, 9, 50)));
    now.set(50);

    assertThat(drained()).containsExactly("late", "point");
    assertThat(queue.report().expired()).isEqualTo(1);
  }

  @Test
  void the_clock_may_pass_zero() {
    now.set(-10);
    add(new Task("late", TaskClass.range(1, 1, -5)), Task.range("overdue", 1, 0));
    now.set(AGE_LIMIT);
    add(Task.localPoint("point"));

    assertThat(drained()).containsExactly("late", "overdue", "point");
  }

  @Test
  void peek_answers_the_oldest_and_leaves_it() {
    add(Task.range("range", 1, 1), Task.localPoint("point"));

    assertThat(queue.peek()).hasToString("range");
    assertThat(queue.poll()).hasToString("point");
    assertThat(queue.peek()).hasToString("range");
    assertThat(drained()).containsExactly("range");
    assertThat(queue.peek()).isNull();
    assertThat(queue.poll()).isNull();
  }

  @Test
  void the_object_that_comes_out_is_the_one_that_went_in() {
    Task first = Task.localPoint("same");
    Task second = Task.localPoint("same");
    add(first, second);

    assertThat(queue.poll()).isSameAs(first);
    assertThat(queue.poll()).isSameAs(second);
  }

  @Test
  void switched_off_it_is_first_in_first_out_for_those_that_wait_too() {
    add(Task.range("range", 1, 1), Task.localPoint("point"));
    queue.setEnabled(false);
    add(Task.range("later", 1, 1), Task.localPoint("last"));

    assertThat(drained()).containsExactly("range", "point", "later", "last");
    assertThat(queue.report().overtakes()).isZero();
  }

  @Test
  void switched_off_it_does_not_classify_tasks() {
    queue.setEnabled(false);
    add(Task.unknown("unknown"));
    queue.poll();

    assertThat(queue.report().unknown()).isZero();
  }

  @Test
  void tasks_that_arrived_while_it_was_off_keep_their_turn() {
    queue.setEnabled(false);
    add(Task.range("while off", 1, 1));
    queue.setEnabled(true);
    add(Task.localPoint("point"), Task.range("range", 1, 1));

    assertThat(drained()).containsExactly("while off", "point", "range");
  }

  @Test
  void it_gives_up_ordering_when_more_than_half_of_a_thousand_are_unknown() {
    add(Task.range("range", 1, 1));
    addUnknown(501);
    addKnown(497);
    assertThat(queue.poll()).hasToString("unknown");

    assertThat(queue.isEnabled()).isTrue();
    assertThat(doubts).hasValue(0);

    add(Task.localPoint("the thousandth"));
    assertThat(queue.isEnabled()).isTrue();
    assertThat(queue.poll()).hasToString("range");
    assertThat(queue.isEnabled()).isFalse();
    assertThat(doubts).hasValue(1);
    assertThat(queue.size()).isEqualTo(998);
  }

  @Test
  void half_of_a_thousand_unknown_is_no_reason_to_give_up() {
    addUnknown(500);
    addKnown(500);
    queue.poll();

    assertThat(queue.isEnabled()).isTrue();
  }

  @Test
  void switched_on_again_it_judges_the_next_thousand() {
    addUnknown(1000);
    queue.poll();
    queue.setEnabled(true);
    queue.poll();
    assertThat(queue.isEnabled()).isTrue();

    addUnknown(1000);
    queue.poll();
    assertThat(queue.isEnabled()).isFalse();
    assertThat(doubts).hasValue(2);
  }

  @Test
  void it_reports_queued_tasks_by_priority_and_overtakes() {
    add(Task.range("range", 1, 1), Task.remotePoint("remote"), Task.localPoint("local"));
    add(Task.localPoint("local"));

    assertThat(queue.report().queued(Priority.LOCAL_POINT)).isEqualTo(2);
    assertThat(queue.report().queued(Priority.REMOTE_POINT)).isEqualTo(1);
    assertThat(queue.report().queued(Priority.RANGE)).isEqualTo(1);
    drained();
    assertThat(queue.report().queued(Priority.RANGE)).isZero();
    assertThat(queue.report().overtakes()).isEqualTo(3);
  }

  @Test
  void a_new_age_limit_holds_for_those_that_wait() {
    add(Task.range("range", 1, 1));
    now.set(10);
    add(Task.localPoint("point"));
    queue.setAgeLimitNanos(10);

    assertThat(queue.poll()).hasToString("range");
  }

  @Test
  void no_limit_on_width_or_rows_can_take_a_range_out_of_its_priority() {
    add(
        Task.range("widest", Integer.MAX_VALUE, Long.MAX_VALUE),
        Task.range("narrowest", Integer.MIN_VALUE, Long.MIN_VALUE),
        Task.remotePoint("point"));

    assertThat(drained()).containsExactly("point", "narrowest", "widest");
    assertThatThrownBy(() -> TaskClass.point(Priority.RANGE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void as_a_collection_it_has_the_queued_tasks_oldest_first() {
    Task range = Task.range("range", 1, 1);
    Task point = Task.localPoint("point");
    queue.addAll(List.of(range, point));

    assertThat(queue).hasSize(2).containsExactly(range, point);
    assertThat(queue.contains(point)).isTrue();
    assertThat(queue.toArray()).containsExactly(range, point);
    assertThat(queue.toArray(new Task[0])).containsExactly(range, point);
    assertThat(queue.stream()).containsExactly(range, point);
    assertThat(queue).hasToString("[range, point]");
    assertThat(queue.remove(range)).isTrue();
    assertThat(queue.remove(range)).isFalse();
    assertThat(queue.retainAll(List.of(point))).isFalse();
    assertThat(queue.removeAll(List.of(point))).isTrue();
    assertThat(queue).isEmpty();
    queue.add(point);
    queue.clear();
    assertThat(queue.poll()).isNull();
  }

  private void add(Task... tasks) {
    for (Task each : tasks) {
      queue.add(each);
    }
  }

  private void addUnknown(int times) {
    for (int i = 0; i < times; i++) {
      add(Task.unknown("unknown"));
    }
  }

  private void addKnown(int times) {
    for (int i = 0; i < times; i++) {
      add(Task.localPoint("point"));
    }
  }

  private List<String> drained() {
    List<String> names = new ArrayList<>();
    for (Object task = queue.poll(); task != null; task = queue.poll()) {
      names.add(task.toString());
    }
    return names;
  }
}
