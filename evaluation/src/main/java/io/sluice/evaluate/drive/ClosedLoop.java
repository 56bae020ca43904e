package io.sluice.evaluate.drive;

import io.sluice.load.RequestFailure;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients of which each sends its next request when it has the answer to the last. They are
 * callbacks on the driver's own threads, to leave the machine to the target.
 */
public final class ClosedLoop {
  private static final Executor AFTER_AN_ERROR =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  private final Requests requests;
  private final LongSupplier nanoTime;

  /** Clients that send these. */
  public ClosedLoop(Requests requests) {
    this(requests, System::nanoTime);
  }

  /** The same by another clock. */
  ClosedLoop(Requests requests, LongSupplier nanoTime) {
    this.requests = requests;
    this.nanoTime = nanoTime;
  }

  /** Runs the clients, waits for the last answers, and tells what they saw. */
  public Observed run(int clients, LoadTime time, long seed) throws InterruptedException {
    return begin(clients, time, seed).await();
  }

  /** Lets the clients begin; they end by themselves. */
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

  /** Clients under way. Safe for any thread. */
  public static final class Running {
    private final Observed observed;
    private final CountDownLatch clients;

    private Running(Observed observed, CountDownLatch clients) {
      this.observed = observed;
      this.clients = clients;
    }

    /** Waits for the last answers, and tells what the clients saw. */
    public Observed await() throws InterruptedException {
      clients.await();
      return observed;
    }
  }

  /** One loop. Only one callback of it runs at a time. */
  private final class Client {
    private final SplittableRandom random;
    private final Running running;
    private final AtomicInteger turns = new AtomicInteger();

    Client(SplittableRandom random, Running running) {
      this.random = random;
      this.running = running;
    }

    /** An answer that is there at once begins the next turn here, and no deeper in the stack. */
    void next() {
      if (turns.getAndIncrement() == 0) {
        do {
          turn();
        } while (turns.decrementAndGet() > 0);
      }
    }

    private void turn() {
      if (running.observed.isOver(nanoTime.getAsLong())) {
        running.clients.countDown();
        return;
      }
      Ask ask = requests.next(random);
      long began = nanoTime.getAsLong();
      ask.sending().get().whenComplete((failure, error) -> ended(ask.of(), began, failure, error));
    }

    private void ended(
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
