package io.sluice.ycsb;

import io.sluice.load.PoissonArrivals;
import io.sluice.load.RateProfile;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ByteIterator;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Single and range reads in an open loop. Each class arrives as a Poisson process of its own,
 * independent of responses, so a slow scan cannot silence the clients that would have suffered from
 * it. A request's intended time is its arrival. With {@code measurement.interval} set to {@code
 * both} or {@code intended}, YCSB reports latencies from that time on.
 *
 * <p>Each class has threads of its own: {@code rangemix.single.threads} is the share of the threads
 * for single reads, 0 to 1. If all threads of a class wait for responses, its next request starts
 * late, and its intended-time latency includes the delay. {@code rangemix.single.rate} and {@code
 * rangemix.range.rate} are arrivals a second. {@code sluice.seed} makes times, keys and lengths
 * repeatable. Loading, keys and fields are those of {@code CoreWorkload}. Keys and lengths are
 * drawn uniformly, a read is one of a whole row, and a scan has at least one row: properties that
 * say otherwise are refused.
 */
// YCSB's interface requires Vector.
@SuppressWarnings("JdkObsolete")
public final class RangeMixWorkload extends CoreWorkload {
  private static final String SEED = "sluice.seed";
  private static final String SINGLE_RATE = "rangemix.single.rate";
  private static final String RANGE_RATE = "rangemix.range.rate";
  private static final String SINGLE_THREADS = "rangemix.single.threads";
  private static final List<String> NUMBERS =
      List.of(SEED, SINGLE_RATE, RANGE_RATE, SINGLE_THREADS, MAX_SCAN_LENGTH_PROPERTY);
  private static final String UNIFORM = "uniform";
  private static final long LONGEST_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Stream single = new Stream(1, 0);
  private Stream range = new Stream(1, 1);
  private double singleShare = 0.5;
  private int maxLimit = 1;
  private Keys keys = new Keys(0, 1);

  @Override
  public void init(Properties p) throws WorkloadException {
    requirePossible(p);
    super.init(p);
    keys = Keys.of(p);
    long seed = (long) number(p, SEED, "1");
    single = new Stream(number(p, SINGLE_RATE, "200"), seed);
    range = new Stream(number(p, RANGE_RATE, "20"), seed + 1);
    singleShare = number(p, SINGLE_THREADS, "0.5");
    maxLimit = (int) number(p, MAX_SCAN_LENGTH_PROPERTY, MAX_SCAN_LENGTH_PROPERTY_DEFAULT);
  }

  /** Returns the class of the thread, for the run phase. Each class gets at least one thread. */
  @Override
  public Object initThread(Properties p, int threadId, int threads) throws WorkloadException {
    requireThreads(p, threads);
    long singles = Math.min(threads - 1L, Math.max(1, Math.round(threads * singleShare)));
    return threadId < singles ? single : range;
  }

  /** Checks properties and threads without YCSB, which ends with exit code 0 if they are wrong. */
  static void check(Properties p) throws WorkloadException {
    for (String name : NUMBERS) {
      number(p, name, "0");
    }
    requirePossible(p);
    Keys.of(p);
    requireThreads(p, (int) number(p, Client.THREAD_COUNT_PROPERTY, "1"));
  }

  private static void requirePossible(Properties p) throws WorkloadException {
    requireOnly(p, REQUEST_DISTRIBUTION_PROPERTY, UNIFORM);
    requireOnly(p, SCAN_LENGTH_DISTRIBUTION_PROPERTY, UNIFORM);
    requireOnly(p, MIN_SCAN_LENGTH_PROPERTY, "1");
    requireOnly(p, READ_ALL_FIELDS_PROPERTY, "true");
  }

  /** Refuses a value that would have no effect. */
  private static void requireOnly(Properties p, String name, String only) throws WorkloadException {
    String value = p.getProperty(name, only);
    if (!value.equals(only)) {
      throw new WorkloadException(
          name + ": '" + value + "' is not " + only + ", the only value in an open loop");
    }
  }

  private static void requireThreads(Properties p, int threads) throws WorkloadException {
    if (threads < 2
        && Boolean.parseBoolean(p.getProperty(Client.DO_TRANSACTIONS_PROPERTY, "true"))) {
      throw new WorkloadException("-threads: at least 2, one for each class of reads");
    }
  }

  /** Waits for the next arrival of the thread's class, and sends the request. */
  @Override
  public boolean doTransaction(DB db, Object threadState) {
    Stream stream = (Stream) threadState;
    Arrival arrival = stream.next(System.nanoTime(), keys, maxLimit);
    while (arrival.nanoTime - System.nanoTime() > 0) {
      if (isStopRequested()) {
        return false;
      }
      LockSupport.parkNanos(Math.min(LONGEST_PARK_NANOS, arrival.nanoTime - System.nanoTime()));
    }
    Measurements.getMeasurements().setIntendedStartTimeNs(arrival.nanoTime);
    String key = buildKeyName(arrival.keyNumber);
    if (stream == single) {
      db.read(table, key, null, new HashMap<>());
    } else {
      db.scan(table, key, arrival.limit, null, new Vector<HashMap<String, ByteIterator>>());
    }
    return true;
  }

  private static double number(Properties p, String name, String otherwise)
      throws WorkloadException {
    String value = p.getProperty(name, otherwise);
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new WorkloadException(name + ": '" + value + "' is not a number", e);
    }
  }

  /**
   * The numbers of the loaded keys, as in {@code CoreWorkload}.
   *
   * @param first the first number
   * @param count how many there are, at least 1
   */
  private record Keys(long first, long count) {
    static Keys of(Properties p) throws WorkloadException {
      double given = number(p, Client.RECORD_COUNT_PROPERTY, Client.DEFAULT_RECORD_COUNT);
      long records = given == 0 ? Integer.MAX_VALUE : (long) given;
      long first = (long) number(p, INSERT_START_PROPERTY, INSERT_START_PROPERTY_DEFAULT);
      long count = (long) number(p, INSERT_COUNT_PROPERTY, Long.toString(records - first));
      if (count < 1) {
        throw new WorkloadException(
            INSERT_COUNT_PROPERTY + ": at least 1; its default is recordcount less insertstart");
      }
      return new Keys(first, count);
    }
  }

  private record Arrival(long nanoTime, long keyNumber, int limit) {}

  /** The requests of one class, shared by its threads. */
  private static final class Stream {
    private final PoissonArrivals arrivals;
    private final SplittableRandom random;
    private boolean begun;
    private long began;

    Stream(double perSecond, long seed) {
      SplittableRandom seeds = new SplittableRandom(seed);
      this.arrivals = new PoissonArrivals(RateProfile.steady(perSecond), seeds.split());
      this.random = seeds.split();
    }

    synchronized Arrival next(long now, Keys keys, int maxLimit) {
      if (!begun) {
        begun = true;
        began = now;
      }
      return new Arrival(
          began + arrivals.next(),
          keys.first + random.nextLong(keys.count),
          1 + random.nextInt(maxLimit));
    }
  }
}
