package io.sluice.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closed-loop clients at one target: each sends its next read after the response to the last. The
 * clients are callback chains on the driver's own threads, which leaves more of the machine to the
 * target.
 */
final class LoadRound {
  private static final Executor AFTER_AN_ERROR =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  private static final double NANOS_PER_SECOND = 1e9;

  private final CqlSession session;
  private final Mix mix;
  private final PreparedStatement point;
  private final PreparedStatement range;

  LoadRound(CqlSession session, Mix mix) {
    this.session = session;
    this.mix = mix;
    this.point = session.prepare(DemoTable.POINT);
    this.range = session.prepare(DemoTable.RANGE);
  }

  /**
   * Runs the clients for a time, waits for the last responses, and returns the figures.
   *
   * @param settling time at the beginning in which only errors count, because all clients begin at
   *     once and the nodes' heaps are full after the round before
   * @param counted time that counts, after {@code settling}
   * @param seed seed of the clients' reads; equal seeds give equal reads in equal order
   * @param soFar receives the figures so far, each second of the counted time
   */
  List<RoundResult> run(
      String target,
      Duration settling,
      Duration counted,
      long seed,
      Consumer<List<RoundResult>> soFar)
      throws InterruptedException {
    Map<ReadClass, ReadFigures> figures = new EnumMap<>(ReadClass.class);
    for (ReadClass readClass : ReadClass.values()) {
      figures.put(readClass, new ReadFigures());
    }
    CountDownLatch running = new CountDownLatch(mix.clients());
    long start = System.nanoTime() + settling.toNanos();
    long end = start + counted.toNanos();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < mix.clients(); i++) {
      new Client(seeds.split(), figures, start, end, running).next();
    }
    while (!running.await(1, TimeUnit.SECONDS)) {
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      if (seconds >= 1 && seconds < counted.toSeconds()) {
        soFar.accept(results(target, figures, seconds));
      }
    }
    return results(target, figures, counted.toMillis() / 1000.0);
  }

  private static List<RoundResult> results(
      String target, Map<ReadClass, ReadFigures> figures, double seconds) {
    return figures.entrySet().stream()
        .map(e -> e.getValue().result(target, e.getKey(), seconds))
        .toList();
  }

  /** One closed loop. Its callbacks run one at a time. */
  private final class Client {
    private final SplittableRandom random;
    private final Map<ReadClass, ReadFigures> figures;
    private final long start;
    private final long end;
    private final CountDownLatch running;

    Client(
        SplittableRandom random,
        Map<ReadClass, ReadFigures> figures,
        long start,
        long end,
        CountDownLatch running) {
      this.random = random;
      this.figures = figures;
      this.start = start;
      this.end = end;
      this.running = running;
    }

    void next() {
      if (System.nanoTime() - end >= 0) {
        running.countDown();
        return;
      }
      ReadClass readClass =
          random.nextDouble() < mix.pointShare() ? ReadClass.POINT : ReadClass.RANGE;
      BoundStatement read = read(readClass);
      long began = System.nanoTime();
      session
          .executeAsync(read)
          .whenComplete(
              (answer, error) -> {
                if (answer != null) {
                  consumeRows(answer);
                }
                finished(readClass, began, error);
              });
    }

    /**
     * Consumes the rows of a response. The driver keeps requests in flight in a HashBiMap of
     * Guava's, whose removed entries still point to later entries. Once a removed entry is in the
     * old generation, all later responses survive until a full collection, with the rows that are
     * still in them. With 1000 clients that left the rows there, garbage collection took a quarter
     * of the time.
     */
    private static void consumeRows(AsyncResultSet answer) {
      answer.currentPage().forEach(row -> {});
    }

    private boolean isCounted(long time) {
      return time - start >= 0 && time - end < 0;
    }

    private BoundStatement read(ReadClass readClass) {
      return readClass == ReadClass.POINT
          ? point.bind((long) random.nextInt(mix.rows()))
          : range.bind(random.nextLong(), 1 + random.nextInt(mix.maxLimit()));
    }

    private void finished(ReadClass readClass, long began, @Nullable Throwable error) {
      long now = System.nanoTime();
      ReadFigures seen = Objects.requireNonNull(figures.get(readClass));
      if (error != null) {
        seen.failed(error);
        AFTER_AN_ERROR.execute(this::next);
      } else {
        if (isCounted(began)) {
          seen.answered(now - began);
        }
        if (isCounted(now)) {
          seen.answeredInTime();
        }
        next();
      }
    }
  }
}
