package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.decide.PriorityClass;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that neither the limit on range reads nor any duration depends on the number of tables
 * read.
 */
class TablesLoopTest {
  private static final double POINT_NANOS = 3 * MS;
  private static final double ROW_NANOS = 0.36 * MS;
  private static final int POINTS = 0;
  private static final int RANGES = 1;
  private static final int CORES = 8;
  private static final int CLIENTS = 83;
  private static final int RUNS = 3;
  private static final long SETTLED = 30_000 * MS;
  private static final long END = 70_000 * MS;

  /** Closed loops at one node: half point reads, half range reads of one to ten rows. */
  private static final class Clients {
    private final Random random;
    private final Bench bench = new Bench(SchedulingConfig.defaults(), 32, A);
    private final FakeNode node = new FakeNode(bench.time, CORES);
    private final int tables;
    private final int rowBytes;
    private final double[] nanos = new double[2];
    private final int[] reads = new int[2];
    private double slots;
    private int looks;

    Clients(long seed, int tables, int rowBytes) {
      this.random = new Random(seed);
      this.tables = tables;
      this.rowBytes = rowBytes;
    }

    Clients run() {
      for (int i = 0; i < CLIENTS; i++) {
        next();
      }
      bench.time.after(SETTLED, this::look);
      bench.time.runUntil(END);
      return this;
    }

    private void look() {
      slots += bench.state(A).rangeSlots();
      looks++;
      bench.time.after(50 * MS, this::look);
    }

    private void next() {
      PriorityClass kind = random.nextBoolean() ? PriorityClass.POINT : PriorityClass.RANGE;
      int rows = kind == PriorityClass.POINT ? 1 : 1 + random.nextInt(10);
      String table = "ks.t" + random.nextInt(tables);
      Query query =
          bench.scheduler.query(new QueryFacts(kind, table, "t", Long.MAX_VALUE, rows, rows, 1));
      bench.scheduler.submit(new TestDemand("d", query, 0, List.of(A), rows, this::started));
    }

    private void started(TestDemand demand) {
      double noise = Math.exp(0.3 * random.nextGaussian());
      double work = (POINT_NANOS + (demand.rows - 1) * ROW_NANOS) * noise;
      node.run(work, () -> finish(demand));
    }

    private void finish(TestDemand demand) {
      long arrival = demand.query().arrivalNanos();
      if (arrival >= SETTLED) {
        int kind = demand.query().priorityClass() == PriorityClass.POINT ? POINTS : RANGES;
        nanos[kind] += (double) (bench.time.nanoTime() - arrival);
        reads[kind]++;
      }
      demand.finish((long) demand.rows, (long) (demand.rows * rowBytes));
      next();
    }

    Means means() {
      return new Means(
          slots / looks, nanos[POINTS] / reads[POINTS] / MS, nanos[RANGES] / reads[RANGES] / MS);
    }
  }

  /** The mean number of range slots, and the mean durations of both classes in ms. */
  private record Means(double slots, double point, double range) {}

  private static double mean(List<Means> runs, ToDoubleFunction<Means> value) {
    return runs.stream().mapToDouble(value).average().orElseThrow();
  }

  /** Means of {@value #RUNS} runs: the means of one differ by chance. */
  private static Means of(int tables, int rowBytes) {
    List<Means> runs =
        IntStream.rangeClosed(1, RUNS)
            .mapToObj(seed -> new Clients(seed, tables, rowBytes).run().means())
            .toList();
    return new Means(mean(runs, Means::slots), mean(runs, Means::point), mean(runs, Means::range));
  }

  @ParameterizedTest
  @ValueSource(ints = {1030, 60})
  void many_tables_are_read_as_fast_as_one(int rowBytes) {
    Means one = of(1, rowBytes);

    for (int tables : List.of(200, 1_000)) {
      Means many = of(tables, rowBytes);

      assertThat(many.point()).as("%s", many).isCloseTo(one.point(), withinPercentage(20));
      assertThat(many.range()).as("%s", many).isCloseTo(one.range(), withinPercentage(10));
      assertThat(many.slots()).as("%s", many).isCloseTo(one.slots(), withinPercentage(30));
    }
  }
}
