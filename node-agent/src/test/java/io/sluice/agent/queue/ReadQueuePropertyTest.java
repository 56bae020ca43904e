package io.sluice.agent.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the queue with the rule, written as searches in a list. */
class ReadQueuePropertyTest {
  private static final long AGE_LIMIT = 1000;

  private record Waiting(Task task, long arrived, boolean known) {
    Priority priority() {
      return known && task.known() != null ? task.known().priority() : Priority.LOCAL_POINT;
    }

    long rank() {
      return task.known() == null ? 0 : task.known().rank();
    }

    long deadline() {
      return known && task.known() != null ? task.known().deadlineNanos() : TaskClass.NO_DEADLINE;
    }

    long overdueAt() {
      long limit = priority() == Priority.REMOTE_POINT ? AGE_LIMIT / 10 : AGE_LIMIT;
      return deadline() == TaskClass.NO_DEADLINE
          ? arrived + limit
          : arrived + Math.min(limit, (deadline() - arrived) / 2);
    }
  }

  private static final class Model {
    final List<Waiting> waiting = new ArrayList<>();
    boolean enabled = true;
    boolean lastWasOverdue;

    Task poll(long now) {
      if (waiting.isEmpty()) {
        return null;
      }
      Waiting next = enabled ? next(now) : waiting.get(0);
      waiting.remove(next);
      return next.task();
    }

    private Waiting next(long now) {
      for (Priority priority : Priority.values()) {
        Optional<Waiting> oldest = oldest(priority).filter(w -> w.deadline() <= now);
        if (oldest.isPresent()) {
          return oldest.get();
        }
      }
      Waiting byPriority =
          waiting.stream()
              .min(Comparator.comparing(Waiting::priority).thenComparing(this::rank))
              .get();
      Optional<Waiting> overdue =
          List.of(Priority.REMOTE_POINT, Priority.RANGE).stream()
              .flatMap(priority -> oldest(priority).stream())
              .filter(w -> w.overdueAt() <= now)
              .min(Comparator.comparing(Waiting::overdueAt));
      if (overdue.isEmpty() || overdue.get().equals(byPriority) || lastWasOverdue) {
        lastWasOverdue = false;
        return byPriority;
      }
      lastWasOverdue = true;
      return overdue.get();
    }

    private long rank(Waiting w) {
      return w.priority() == Priority.RANGE ? w.rank() : 0;
    }

    private Optional<Waiting> oldest(Priority priority) {
      return waiting.stream().filter(w -> w.priority() == priority).findFirst();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34})
  void every_task_comes_out_when_the_rule_says(long seed) {
    Random random = new Random(seed);
    AtomicLong now = new AtomicLong(random.nextInt(1000) - 500);
    ReadQueue queue = new ReadQueue(Task.CLASSIFIER, AGE_LIMIT, now::get, fault -> {});
    Model model = new Model();
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(100);
      boolean filling = step % 2000 < 1000;
      if (choice < (filling ? 60 : 40)) {
        Task task = task(random, step, now.get());
        queue.add(task);
        model.waiting.add(new Waiting(task, now.get(), model.enabled));
      } else if (choice < 97) {
        assertThat(queue.poll()).as("step %d", step).isSameAs(model.poll(now.get()));
      } else if (choice < 98) {
        model.enabled = !model.enabled || random.nextInt(3) > 0;
        queue.setEnabled(model.enabled);
      } else {
        Task oldest = model.waiting.isEmpty() ? null : model.waiting.get(0).task();
        assertThat(queue.peek()).isSameAs(oldest);
        assertThat(queue).hasSize(model.waiting.size());
      }
      now.addAndGet(random.nextInt(10));
    }
    queue.setEnabled(true);
    model.enabled = true;
    while (!model.waiting.isEmpty()) {
      assertThat(queue.poll()).isSameAs(model.poll(now.addAndGet(random.nextInt(100))));
    }
    assertThat(queue.poll()).isNull();
  }

  private static Task task(Random random, int step, long now) {
    long deadline =
        random.nextInt(3) == 0 ? TaskClass.NO_DEADLINE : now + random.nextInt(5000) - 100;
    String name = "task " + step;
    return switch (random.nextInt(10)) {
      case 0 -> Task.unknown(name);
      case 1, 2, 3 -> new Task(name, TaskClass.point(Priority.LOCAL_POINT, deadline));
      case 4, 5 -> new Task(name, TaskClass.point(Priority.REMOTE_POINT, deadline));
      default ->
          new Task(
              name, TaskClass.range(1 + random.nextInt(3), 100L * random.nextInt(4), deadline));
    };
  }
}
