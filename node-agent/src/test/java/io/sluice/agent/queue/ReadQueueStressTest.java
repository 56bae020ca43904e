package io.sluice.agent.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract with the stage's workers: a permit is given after {@code add} has returned, and its
 * holder runs the result of {@code poll} without a check. Runs two seconds; {@code
 * -Dsluice.stress.seconds=60} runs longer.
 */
class ReadQueueStressTest {
  private static final int WORKERS = 4;
  private static final int PRODUCERS = 2;
  private static final int MAX_QUEUED = 5000;
  private static final long NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("sluice.stress.seconds", 2));

  private record Job(TaskClass known, AtomicInteger runs) {}

  private final ReadQueue queue =
      new ReadQueue(
          job -> ((Job) job).known(),
          TimeUnit.MILLISECONDS.toNanos(1),
          System::nanoTime,
          fault -> {});
  private final Semaphore permits = new Semaphore(0);
  private final Semaphore room = new Semaphore(MAX_QUEUED);
  private final AtomicLong produced = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean closing;

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void every_permit_finds_a_task_and_every_task_runs_once() throws Exception {
    long end = System.nanoTime() + NANOS;
    List<Future<Long>> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(threads.submit(this::work));
    }
    List<Future<?>> others = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      others.add(threads.submit(() -> produce(random, end)));
    }
    others.add(threads.submit(() -> meddle(end)));
    for (Future<?> each : others) {
      each.get();
    }
    boolean allRan = room.tryAcquire(MAX_QUEUED, 10, TimeUnit.SECONDS);
    closing = true;
    permits.release(WORKERS);
    long done = 0;
    for (Future<Long> each : workers) {
      done += each.get();
    }

    assertThat(allRan).isTrue();
    assertThat(done).isEqualTo(produced.get()).isPositive();
    assertThat(queue.poll()).isNull();
  }

  private Void produce(SplittableRandom random, long end) throws InterruptedException {
    while (System.nanoTime() - end < 0) {
      if (room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
        produced.incrementAndGet();
        queue.add(new Job(known(random), new AtomicInteger()));
        permits.release();
      }
    }
    return null;
  }

  private Long work() throws InterruptedException {
    long done = 0;
    while (true) {
      permits.acquire();
      Job job = (Job) queue.poll();
      if (closing && job == null) {
        return done;
      }
      assertThat(job).as("a task for a permit").isNotNull();
      assertThat(job.runs().incrementAndGet()).isEqualTo(1);
      done++;
      room.release();
    }
  }

  /** Does meanwhile what an operator and the node's own metrics do. */
  private void meddle(long end) {
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      queue.setEnabled(i % 3 != 0);
      queue.setAgeLimitNanos(TimeUnit.MICROSECONDS.toNanos(i % 1000));
      queue.peek();
      queue.report();
      LockSupport.parkNanos(20_000);
    }
  }

  private static TaskClass known(SplittableRandom random) {
    long deadline = System.nanoTime() + random.nextInt(10_000_000);
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> TaskClass.point(Priority.LOCAL_POINT, deadline);
      case 2 -> TaskClass.point(Priority.REMOTE_POINT, TaskClass.NO_DEADLINE);
      default -> TaskClass.range(random.nextInt(20), random.nextInt(5000), deadline);
    };
  }
}
