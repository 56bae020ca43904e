package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.CapturedLog;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on real threads. Each test waits for an event, never for a time. */
@Timeout(30)
class RepeatedTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration SOON = Duration.ofNanos(1);
  private static final Duration NEVER = Duration.ofDays(365);

  @RegisterExtension final CapturedLog log = CapturedLog.of(Repeated.class);

  /**
   * Waits until the third run of a task whose runs all throw this. A run of an earlier test may
   * still log, so each test has a name of its own.
   */
  private static void threeRuns(String name, Throwable thrown) throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(3);
    Runnable failing =
        () -> {
          runs.countDown();
          throwUnchecked(thrown);
        };
    try (Repeated repeated = Repeated.begin(name, AT_ONCE, SOON, failing)) {
      assertThat(runs.await(20, TimeUnit.SECONDS)).as("%s", repeated).isTrue();
    }
  }

  private static void throwUnchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  @Test
  void a_run_that_throws_is_followed_by_another() throws InterruptedException {
    threeRuns("throws", new IllegalStateException("on purpose"));
    assertThat(log.warnings())
        .contains("A run of sluice-throws failed: java.lang.IllegalStateException: on purpose");
  }

  @Test
  void a_run_that_ends_with_an_error_is_followed_by_another() throws InterruptedException {
    threeRuns("errs", new AssertionError("on purpose"));
    assertThat(log.lines()).contains("A run of sluice-errs failed");
    assertThat(log.warnings())
        .as("it is more than a warning")
        .noneMatch(line -> line.contains("sluice-errs"));
  }

  /** The handler of the host ends the process. */
  @Test
  void an_out_of_memory_error_is_passed_to_the_handler_of_uncaught_exceptions() throws Exception {
    OutOfMemoryError missing = new OutOfMemoryError("on purpose");
    CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
    Runnable failing =
        () -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler((thread, thrown) -> uncaught.complete(thrown));
          throw missing;
        };
    try (Repeated repeated = Repeated.begin("test", AT_ONCE, NEVER, failing)) {
      assertThat(uncaught.get(20, TimeUnit.SECONDS)).as("%s", repeated).isSameAs(missing);
    }
  }

  @Test
  void runs_happen_on_a_daemon_thread_with_its_name() throws InterruptedException {
    BlockingQueue<Thread> seen = new LinkedBlockingQueue<>();
    Runnable telling = () -> seen.add(Thread.currentThread());
    try (Repeated repeated = Repeated.begin("test", AT_ONCE, NEVER, telling)) {
      Thread thread = seen.take();
      assertThat(thread.getName()).as("%s", repeated).isEqualTo("sluice-test");
      assertThat(thread.isDaemon()).isTrue();
    }
  }

  @Test
  void a_running_task_is_interrupted_when_it_is_closed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> ended = new CompletableFuture<>();
    Runnable blocking =
        () -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            ended.complete("interrupted");
          }
        };
    Repeated repeated = Repeated.begin("test", AT_ONCE, SOON, blocking);
    begun.await();
    repeated.close();
    assertThat(ended.get(20, TimeUnit.SECONDS)).isEqualTo("interrupted");
  }
}
