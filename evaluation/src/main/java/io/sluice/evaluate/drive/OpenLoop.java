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
 * An open loop: requests arrive independent of responses. Each class is a Poisson process of its
 * own. Times count from the arrival, even if the request is sent later.
 */
public final class OpenLoop {
  private static final int MAX_IN_FLIGHT = 4000;
  private static final long TOLERANCE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final Mix mix;
  private final Draw draw;
  private final int mostInFlight;

  /** Creates requests of each class. */
  interface Draw {
    Ask of(RequestClass requests, SplittableRandom random);
  }

  /** Creates an open loop with a mix. The share of a class gives its arrival rate. */
  public OpenLoop(Tables tables, Mix mix, Check check) {
    this(mix, draw(tables, new RequestSource(mix, tables.data()), check), MAX_IN_FLIGHT);
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

  /** The arrivals of one class, with the next arrival. */
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
   * Sends requests for the time, waits for the last answers, and returns the observations. At most
   * 4000 requests are in flight; a further one is not sent and counts as failed.
   *
   * @param whole arrivals of all classes together; each class has its share of the mix
   */
  public Observed run(RateProfile whole, LoadTime time, long seed) throws InterruptedException {
    return run(whole, time, seed, () -> false);
  }

  /**
   * Runs the open loop as above, with an early end.
   *
   * @param enough whether to stop; called before each request
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

  private static void send(Ask ask, long due, Observed observed, Semaphore free) {
    if (!free.tryAcquire()) {
      observed.notSent(ask.of(), due);
      return;
    }
    ask.sending()
        .get()
        .whenComplete(
            (failure, error) -> {
              observed.ended(ask.of(), due, System.nanoTime(), failure, error);
              free.release();
            });
  }

  private static void awaitTime(long nanoTime) throws InterruptedException {
    for (long left = nanoTime - System.nanoTime();
        left > TOLERANCE_NANOS;
        left = nanoTime - System.nanoTime()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(left);
    }
  }
}
