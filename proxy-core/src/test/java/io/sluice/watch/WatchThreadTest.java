package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.CapturedLog;
import io.sluice.time.Timer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the thread of the watch, by the order of its tasks. */
class WatchThreadTest {

  @RegisterExtension final CapturedLog warnings = CapturedLog.of(WatchThread.class);

  private final WatchThread thread = new WatchThread();
  private final List<String> log = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    thread.close(() -> {});
  }

  private void assertWarned() {
    // The periodic task of another test may log a line until its thread has ended.
    assertThat(warnings.lines())
        .contains(
            "A task that watches the cluster failed: java.lang.IllegalStateException: broken");
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Waits until all tasks that were submitted before have run. */
  private void flush() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    thread.execute(done::countDown);
    await(done);
  }

  @Test
  void tasks_run_in_order_on_one_daemon_thread() throws Exception {
    CompletableFuture<Thread> first = new CompletableFuture<>();
    CompletableFuture<Thread> second = new CompletableFuture<>();
    thread.execute(() -> first.complete(Thread.currentThread()));
    thread.execute(() -> second.complete(Thread.currentThread()));
    Thread runner = first.get(30, TimeUnit.SECONDS);
    assertThat(second.get(30, TimeUnit.SECONDS)).isSameAs(runner);
    assertThat(runner.isDaemon()).isTrue();
    assertThat(runner.getName()).isEqualTo("sluice-watch");
  }

  @Test
  void the_thread_knows_itself() throws Exception {
    CompletableFuture<Boolean> inside = new CompletableFuture<>();
    thread.execute(() -> inside.complete(thread.isCurrent()));
    assertThat(inside.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.isCurrent()).isFalse();
  }

  @Test
  void a_task_that_fails_does_not_end_the_thread() throws Exception {
    thread.execute(
        () -> {
          throw new IllegalStateException("broken");
        });
    thread.execute(() -> log.add("next"));
    flush();
    assertThat(log).containsExactly("next");
    assertWarned();
  }

  @Test
  void a_periodic_task_that_fails_goes_on() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    thread.repeat(
        1,
        () -> {
          runs.countDown();
          throw new IllegalStateException("broken");
        });
    await(runs);
  }

  @Test
  void a_periodic_task_that_ends_with_an_error_goes_on() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    thread.repeat(
        1,
        () -> {
          runs.countDown();
          throw new AssertionError("broken");
        });
    await(runs);
    assertThat(warnings.lines()).contains("A task that watches the cluster failed");
  }

  @Test
  void a_cancelled_task_does_not_run() throws Exception {
    CompletableFuture<Void> busy = new CompletableFuture<>();
    CountDownLatch later = new CountDownLatch(1);
    thread.schedule(0, busy::join);
    Timer.Timeout cancelled = thread.schedule(1_000_000, () -> log.add("cancelled"));
    thread.schedule(2_000_000, later::countDown);
    cancelled.cancel();
    busy.complete(null);
    await(later);
    assertThat(log).isEmpty();
  }

  @Test
  void a_scheduled_task_that_fails_does_not_end_the_thread() throws Exception {
    CountDownLatch later = new CountDownLatch(1);
    thread.schedule(
        0,
        () -> {
          log.add("failed");
          throw new IllegalStateException("broken");
        });
    thread.schedule(1_000_000, later::countDown);
    await(later);
    assertThat(log).containsExactly("failed");
    assertWarned();
  }

  @Test
  void the_thread_ends_after_the_tasks_before_and_the_last_one() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    CompletableFuture<Thread> runner = new CompletableFuture<>();
    thread.execute(
        () -> {
          runner.complete(Thread.currentThread());
          try {
            await(held);
          } catch (InterruptedException e) {
            log.add("interrupted");
          }
        });
    thread.execute(() -> log.add("before"));
    thread.close(
        () -> {
          log.add("last");
          ended.countDown();
        });
    held.countDown();
    await(ended);
    runner.get(30, TimeUnit.SECONDS).join(TimeUnit.SECONDS.toMillis(30));
    assertThat(log).containsExactly("before", "last");
    assertThat(runner.get().isAlive()).isFalse();
    assertThatThrownBy(() -> thread.execute(() -> log.add("late")))
        .isInstanceOf(RejectedExecutionException.class);
    thread.close(() -> log.add("again"));
    assertThat(log).as("a second close does nothing").containsExactly("before", "last");
  }
}
