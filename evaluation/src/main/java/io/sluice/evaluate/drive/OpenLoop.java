package io.sluice.evaluate.drive;

import io.sluice.load.PoissonArrivals;
import io.sluice.load.RateProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Requests that arrive whatever became of those before: each class is a Poisson process of its own,
 * and times count from the arrival, not from when there was time to send.
 */
public final class OpenLoop {
  private static final int MOST_IN_FLIGHT = 4000;
  private static final long CLOSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Mix mix;
  private final Draw draw;
  private final int mostInFlight;

  /** A source of requests of each class. */
  interface Draw {
    Ask of(RequestClass requests, SplittableRandom random);
  }

  /** Requests of this mix; each class arrives as often as its share of the mix says. */
  public OpenLoop(Tables tables, Mix mix, Check check) {
    this(mix, draw(tables, new RequestSource(mix, tables.data()), check), MOST_IN_FLIGHT);
  }

  OpenLoop(Mix mix, Draw draw, int mostInFlight) {
    this.mix = mix;
    this.draw = draw;
    this.mostInFlight = mostInFlight;
  }

  private static Draw draw(Tables tables, RequestSource source, Check check) {
    return (of, random) ->
        tables.ask(source.next(of, random), Tables.Levels.ONE, check.rowByRow(random));
  }

  /** One class's arrivals, and the next of them. */
  private static final class Stream {
    private final RequestClass of;
    private final PoissonArrivals arrivals;
    private long next;

    Stream(RequestClass of, RateProfile profile, SplittableRandom random) {
      this.of = of;
      this.arrivals = new PoissonArrivals(profile, random);
      this.next = arrivals.next();
    }
  }

  /**
   * Sends for the time, waits for the last answers, and tells what was seen. A request that would
   * be the 4001st on its way is not sent and counts as failed.
   *
   * @param whole arrivals of all classes together; each class has its share of the mix
   */
  public Observed run(RateProfile whole, LoadTime time, long seed) throws InterruptedException {
    return run(whole, time, seed, () -> false);
  }

  /**
   * The same, but it ends early when it is told to.
   *
   * @param enough asked before each request
   */
  public Observed run(RateProfile whole, LoadTime time, long seed, BooleanSupplier enough)
      throws InterruptedException {
    SplittableRandom seeds = new SplittableRandom(seed);
    SplittableRandom random = seeds.split();
    PriorityQueue<Stream> streams =
        new PriorityQueue<>(Comparator.comparingLong((Stream s) -> s.next));
    for (RequestClass of : classes()) {
      streams.add(new Stream(of, part(whole, mix.share(of)), seeds.split()));
    }
    long began = System.nanoTime();
    long from = began + time.settling().toNanos();
    Observed observed = new Observed(from, from + time.counted().toNanos());
    Semaphore free = new Semaphore(mostInFlight);
    for (Stream head = streams.remove();
        !observed.isOver(began + head.next) && !enough.getAsBoolean();
        head = streams.remove()) {
      awaitTime(began + head.next);
      send(draw.of(head.of, random), began + head.next, observed, free);
      head.next = head.arrivals.next();
      streams.add(head);
    }
    free.acquire(mostInFlight);
    return observed;
  }

  private List<RequestClass> classes() {
    List<RequestClass> some = new ArrayList<>(List.of(RequestClass.values()));
    some.removeIf(of -> mix.share(of) == 0);
    return some;
  }

  private static RateProfile part(RateProfile whole, double share) {
    return new RateProfile(
        whole.perSecond() * share,
        whole.burstFactor(),
        whole.periodSeconds(),
        whole.burstSeconds());
  }

  private static void send(Ask ask, long meant, Observed observed, Semaphore free) {
    if (!free.tryAcquire()) {
      observed.notSent(ask.of(), meant);
      return;
    }
    ask.sending()
        .get()
        .whenComplete(
            (failure, error) -> {
              observed.ended(ask.of(), meant, System.nanoTime(), failure, error);
              free.release();
            });
  }

  private static void awaitTime(long nanoTime) throws InterruptedException {
    for (long left = nanoTime - System.nanoTime();
        left > CLOSE_NANOS;
        left = nanoTime - System.nanoTime()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(left);
    }
  }
}
