package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients of which each sends its next request when it has the answer to the last. They are
 * callbacks on the driver's own threads, to leave the machine to the target.
 */
public final class ClosedLoop {
  private static final Executor AFTER_AN_ERROR =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  private final Tables tables;
  private final Mix mix;
  private final Tables.Levels levels;
  private final boolean verify;

  /**
   * @param verify whether every answer is checked row by row: for correctness, not for times
   */
  public ClosedLoop(Tables tables, Mix mix, Tables.Levels levels, boolean verify) {
    this.tables = tables;
    this.mix = mix;
    this.levels = levels;
    this.verify = verify;
  }

  /** Runs the clients, waits for the last answers, and tells what they saw. */
  public Observed run(int clients, LoadTime time, long seed) throws InterruptedException {
    long from = System.nanoTime() + time.settling().toNanos();
    Observed observed = new Observed(from, from + time.counted().toNanos());
    CountDownLatch running = new CountDownLatch(clients);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      new Client(new RequestSource(mix, tables.data(), seeds.split()), observed, running).next();
    }
    running.await();
    return observed;
  }

  /** One loop. Only one callback of it runs at a time. */
  private final class Client {
    private final RequestSource source;
    private final Observed observed;
    private final CountDownLatch running;

    Client(RequestSource source, Observed observed, CountDownLatch running) {
      this.source = source;
      this.observed = observed;
      this.running = running;
    }

    void next() {
      if (observed.isOver(System.nanoTime())) {
        running.countDown();
        return;
      }
      Request request = source.next();
      long began = System.nanoTime();
      tables
          .send(request, levels, verify)
          .whenComplete((failure, error) -> ended(request, began, failure, error));
    }

    private void ended(
        Request request, long began, @Nullable RequestFailure failure, @Nullable Throwable error) {
      observed.ended(request.of(), began, System.nanoTime(), failure, error);
      if (error == null) {
        next();
      } else {
        AFTER_AN_ERROR.execute(this::next);
      }
    }
  }
}
