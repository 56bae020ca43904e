package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.testkit.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no read waits without end, whatever arrives later and however wrong the estimates are.
 */
class WaitBoundTest {
  private static final int SLOTS = 8;
  private static final int RANGE_SLOTS = 4;
  private static final double CORES = 2;
  private static final long AGE_NANOS = 5000 * MS;

  /**
   * One node under an overload of narrow range reads and point reads, with wide ones in between.
   */
  private static final class Overload {
    private final Random random;
    private final double errorDecades;
    private final Bench bench;
    private final FakeNode node;
    private final List<Watched> watched = new ArrayList<>();
    private double outstandingNanos;
    private long endNanos;

    Overload(long seed, double errorDecades, double rangeBacklog) {
      this.random = new Random(seed);
      this.errorDecades = errorDecades;
      this.bench =
          new Bench(
              new SchedulingConfig(
                  Mode.ENFORCE,
                  true,
                  RangeOrder.REMAINING_WORK,
                  0,
                  RANGE_SLOTS,
                  8,
                  2,
                  0,
                  0,
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(10),
                  1000,
                  rangeBacklog,
                  0.5,
                  Map.of()),
              SLOTS,
              A);
      this.node = new FakeNode(bench.time, CORES);
    }

    void run(long nanos, double load) {
      endNanos = nanos;
      arrivals(PriorityClass.RANGE, 800, Bench.work(800) / (CORES * load));
      arrivals(PriorityClass.POINT, 1, Bench.work(1) / (0.05 * CORES));
      arrivals(PriorityClass.RANGE, 3000, 500 * MS);
      bench.time.runUntil(nanos);
      bench.time.runOut();
    }

    private void arrivals(PriorityClass priorityClass, double rows, double everyNanos) {
      bench.time.after(
          (long) (everyNanos * 2 * random.nextDouble()),
          () -> arrive(priorityClass, rows, everyNanos));
    }

    private void arrive(PriorityClass priorityClass, double rows, double everyNanos) {
      if (bench.time.nanoTime() < endNanos) {
        submit(priorityClass, rows);
        arrivals(priorityClass, rows, everyNanos);
      }
    }

    private void submit(PriorityClass priorityClass, double rows) {
      Query query =
          bench.scheduler.query(
              new QueryFacts(priorityClass, "ks.table", "t", Long.MAX_VALUE, rows, (int) rows, 1));
      double wrongBy = Math.pow(10, errorDecades * (2 * random.nextDouble() - 1));
      Watched demand = new Watched(query, rows, Bench.work(rows) * wrongBy, wrongBy);
      if (priorityClass == PriorityClass.RANGE) {
        watched.add(demand);
        outstandingNanos += demand.actualNanos;
        bench.time.after(demand.latestNanos - bench.time.nanoTime(), demand::noteAhead);
      }
      bench.scheduler.submit(demand);
    }

    private final class Watched extends Demand {
      private final double actualNanos;
      private final long actualRows;
      private final long latestNanos;
      private double aheadNanos;
      private long startedAt = Long.MAX_VALUE;
      private boolean done;

      Watched(Query query, double rows, double actualNanos, double wrongBy) {
        super(query, 0, List.of(A), rows);
        this.actualNanos = actualNanos;
        this.actualRows = (long) (rows * wrongBy);
        double patience = 4 * query.remainingMicros() * 1000;
        this.latestNanos = query.arrivalNanos() + (long) Math.min(patience, AGE_NANOS);
      }

      /**
       * Records the work ahead of this demand. No later arrival goes first, so no other work delays
       * it.
       */
      private void noteAhead() {
        aheadNanos = outstandingNanos - (done ? 0 : actualNanos);
      }

      private long waited() {
        return startedAt - query().arrivalNanos();
      }

      @Override
      protected void start(Permit permit) {
        startedAt = bench.time.nanoTime();
        node.run(
            actualNanos,
            () -> {
              end();
              permit.finish(actualRows, actualRows * 300);
            });
      }

      @Override
      protected void refuse(Refusal refusal) {
        end();
      }

      private void end() {
        done = true;
        outstandingNanos -= query().priorityClass() == PriorityClass.RANGE ? actualNanos : 0;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 1})
  void no_read_that_arrives_after_the_latest_key_of_a_query_delays_it(double errorDecades) {
    for (long seed = 1; seed <= 2; seed++) {
      Overload load = new Overload(seed, errorDecades, 1000);
      load.run(10_000 * MS, 1.5);

      // While a range read waits, all range slots are busy, and get their share of the cores.
      double rangeRate = CORES * RANGE_SLOTS / SLOTS;
      for (Overload.Watched query : load.watched) {
        assertThat((double) query.startedAt)
            .as("seed %d", seed)
            .isLessThanOrEqualTo(query.latestNanos + query.aheadNanos / rangeRate + MS);
      }
    }
  }

  @Test
  void with_admission_the_longest_wait_stays_near_ageing_and_the_backlog_limit() {
    for (long seed = 1; seed <= 2; seed++) {
      Overload load = new Overload(seed, 0, 0.3);
      load.run(25_000 * MS, 1.5);

      long refused =
          load.watched.stream().filter(query -> query.startedAt == Long.MAX_VALUE).count();
      assertThat(refused).isPositive().isLessThan(load.watched.size() / 2);
      for (Overload.Watched query : load.watched) {
        if (query.startedAt != Long.MAX_VALUE) {
          assertThat(query.waited()).isLessThanOrEqualTo(2 * (AGE_NANOS + 3000 * MS));
        }
      }
    }
  }

  @Test
  void without_overload_no_read_is_refused() {
    Overload load = new Overload(1, 0.5, 0.3);
    load.run(10_000 * MS, 0.3);

    assertThat(load.watched).allMatch(query -> query.startedAt != Long.MAX_VALUE);
  }

  @Test
  void small_reads_pass_a_large_one_for_half_of_the_timeout_that_the_nodes_have() {
    Bench bench = new Bench(Records.with(SchedulingConfig.defaults(), "rangeSlots", 1), SLOTS, A);
    bench.scheduler.nodeTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(3));
    bench.submitRange(10, A);
    TestDemand large = bench.submitRange(1e6, A);
    long waited = 0;
    while (large.isWaiting() && waited < 4000 * MS) {
      bench.submitRange(10, A);
      bench.time.advance(10 * MS);
      waited += 10 * MS;
      bench.started.get(bench.started.size() - 1).finish(10, 3_000);
    }
    assertThat(waited).isBetween(1500 * MS, 1600 * MS);
  }
}
