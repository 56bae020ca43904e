package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closed-loop clients: each sends its next request after the answer to the last. The clients are
 * callbacks on the driver's own threads, which leaves more of the machine to the target.
 */
public final class ClosedLoop {
  private static final Executor AFTER_AN_ERROR =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  private final Requests requests;
  private final LongSupplier nanoTime;

  /** Creates clients that send these requests. */
  public ClosedLoop(Requests requests) {
    this(requests, System::nanoTime);
  }

  /** Creates clients with another clock. */
  ClosedLoop(Requests requests, LongSupplier nanoTime) {
    this.requests = requests;
    this.nanoTime = nanoTime;
  }

  /** Runs the clients, waits for the last answers, and returns the observations. */
  public Observed run(int clients, LoadTime time, long seed) throws InterruptedException {
    return begin(clients, time, seed).await();
  }

  /** Starts the clients. They stop when the time is over. */
  public Running begin(int clients, LoadTime time, long seed) {
    long from = nanoTime.getAsLong() + time.settling().toNanos();
    Running running =
        new Running(
            new Observed(from, from + time.counted().toNanos()), new CountDownLatch(clients));
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < clients; i++) {
      new Client(seeds.split(), running).next();
    }
    return running;
  }

  /** Running clients. Safe for any thread. */
  public static final class Running {
    private final Observed observed;
    private final CountDownLatch clients;

    private Running(Observed observed, CountDownLatch clients) {
      this.observed = observed;
      this.clients = clients;
    }

    /** Waits for the last answers, and returns the observations. */
    public Observed await() throws InterruptedException {
      clients.await();
      return observed;
    }
  }

  /** One closed loop. Its callbacks run one at a time. */
  private final class Client {
    private final SplittableRandom random;
    private final Running running;
    private final AtomicInteger pendingTurns = new AtomicInteger();

    Client(SplittableRandom random, Running running) {
      this.random = random;
      this.running = running;
    }

    /**
     * Sends the next request. If an answer is there at once, the loop continues in this call
     * instead of recursing.
     */
    void next() {
      if (pendingTurns.getAndIncrement() == 0) {
        do {
          turn();
        } while (pendingTurns.decrementAndGet() > 0);
      }
    }

    private void turn() {
      if (running.observed.isOver(nanoTime.getAsLong())) {
        running.clients.countDown();
        return;
      }
      Ask ask = requests.next(random);
      long began = nanoTime.getAsLong();
      send(ask).whenComplete((failure, error) -> onEnd(ask.of(), began, failure, error));
    }

    /** Sends a request. An exception counts as an error, because no caller would get it. */
    private static CompletionStage<@Nullable RequestFailure> send(Ask ask) {
      try {
        return ask.sending().get();
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private void onEnd(
        RequestClass of, long began, @Nullable RequestFailure failure, @Nullable Throwable error) {
      running.observed.ended(of, began, nanoTime.getAsLong(), failure, error);
      if (error == null) {
        next();
      } else {
        AFTER_AN_ERROR.execute(this::next);
      }
    }
  }
}
