package io.sluice.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests on real threads. Each test waits for an event, never for a time. */
@Timeout(30)
class RepeatedTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration SOON = Duration.ofNanos(1);
  private static final Duration NEVER = Duration.ofDays(365);

  @Test
  void a_run_that_throws_is_followed_by_another() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(3);
    Runnable failing =
        () -> {
          runs.countDown();
          throw new IllegalStateException("on purpose");
        };
    try (Repeated repeated = Repeated.begin("test", AT_ONCE, SOON, failing)) {
      assertThat(runs.await(20, TimeUnit.SECONDS)).as("%s", repeated).isTrue();
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
