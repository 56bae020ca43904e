package io.sluice.agent.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The collection methods, over a list of tasks. */
class SnapshotQueueTest {
  private static final class ListQueue extends SnapshotQueue {
    private static final long serialVersionUID = 1L;

    private final transient List<Object> tasks = new ArrayList<>();

    @Override
    List<Object> waiting() {
      return new ArrayList<>(tasks);
    }

    @Override
    boolean take(Predicate<? super Object> condition, int most) {
      int before = tasks.size();
      for (Object each : waiting()) {
        if (before - tasks.size() < most && condition.test(each)) {
          tasks.remove(each);
        }
      }
      return tasks.size() < before;
    }

    @Override
    public int size() {
      return tasks.size();
    }

    @Override
    public boolean offer(Object task) {
      return tasks.add(task);
    }

    @Override
    public @Nullable Object poll() {
      return tasks.isEmpty() ? null : tasks.remove(0);
    }

    @Override
    public @Nullable Object peek() {
      return tasks.isEmpty() ? null : tasks.get(0);
    }
  }

  private final SnapshotQueue queue = new ListQueue();

  @Test
  void tasks_are_added_one_by_one_or_together() {
    assertThat(queue.addAll(List.of())).isFalse();
    assertThat(queue.isEmpty()).isTrue();

    assertThat(queue.add("a")).isTrue();
    assertThat(queue.addAll(List.of("b", "c"))).isTrue();

    assertThat(queue.isEmpty()).isFalse();
    assertThat(queue.waiting()).containsExactly("a", "b", "c");
  }

  @Test
  void every_reading_method_sees_the_queued_tasks_in_their_order() {
    queue.addAll(List.of("b", "a"));
    List<Object> each = new ArrayList<>();
    queue.forEach(each::add);

    assertThat(each).containsExactly("b", "a");
    assertThat(queue.iterator()).toIterable().containsExactly("b", "a");
    assertThat(queue.stream()).containsExactly("b", "a");
    assertThat(queue.toArray()).containsExactly("b", "a");
    assertThat(queue.toArray(new String[0])).containsExactly("b", "a");
    assertThat(queue.toString()).isEqualTo("[b, a]");
    assertThat(queue.contains("a")).isTrue();
    assertThat(queue.contains("c")).isFalse();
  }

  @Test
  void an_iterator_does_not_see_later_changes_and_cannot_make_any() {
    queue.add("a");
    Iterator<Object> tasks = queue.iterator();
    queue.add("b");
    queue.remove("a");

    assertThat(tasks.next()).isEqualTo("a");
    assertThat(tasks.hasNext()).isFalse();
    assertThatThrownBy(tasks::remove).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void equal_tasks_are_removed_one_by_one() {
    queue.addAll(List.of("a", "b", "a"));

    assertThat(queue.remove("a")).isTrue();
    assertThat(queue.waiting()).containsExactly("b", "a");
    assertThat(queue.remove("c")).isFalse();
    assertThat(queue.remove(null)).isFalse();
  }

  @Test
  void tasks_are_removed_by_a_condition_or_a_collection() {
    queue.addAll(List.of("a", "b", "a", "c", "d"));

    assertThat(queue.removeIf("a"::equals)).isTrue();
    assertThat(queue.waiting()).containsExactly("b", "c", "d");
    assertThat(queue.removeAll(List.of("b", "x"))).isTrue();
    assertThat(queue.retainAll(List.of("c", "d"))).isFalse();
    assertThat(queue.retainAll(List.of("c"))).isTrue();
    assertThat(queue.waiting()).containsExactly("c");
    queue.clear();
    assertThat(queue.waiting()).isEmpty();
  }

  /** A method that is not overridden would see nodes that are always empty. */
  @Test
  void it_overrides_every_method_of_the_queue_it_extends() {
    assertThat(
            Arrays.stream(ConcurrentLinkedQueue.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())))
        .isNotEmpty()
        .allSatisfy(
            method ->
                assertThat(
                        SnapshotQueue.class.getDeclaredMethod(
                            method.getName(), method.getParameterTypes()))
                    .isNotNull());
  }
}
