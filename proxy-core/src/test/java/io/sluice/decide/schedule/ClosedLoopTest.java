package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.C;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.ring.NodeId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hundred clients, half point reads, half scans of up to 2000 rows, on three small nodes. */
class ClosedLoopTest {
  private static final double POINT_NANOS = 0.3 * MS;

  private static final class Clients {
    private final Random random;
    private final double rowNanos;
    private final Bench bench = new Bench(SchedulingConfig.defaults(), 32, A, B, C);

    /** Three nodes on one machine share its two cores. */
    private final FakeNode machine = new FakeNode(bench.time, 2);

    private int refused;
    private int points;
    private int ranges;
    private double pointNanos;
    private double rangeNanos;

    Clients(long seed, double rowNanos) {
      this.random = new Random(seed);
      this.rowNanos = rowNanos;
    }

    void run(int clients, long nanos) {
      for (int i = 0; i < clients; i++) {
        next();
      }
      bench.time.runUntil(nanos);
    }

    private void next() {
      NodeId node = List.of(A, B, C).get(random.nextInt(3));
      boolean point = random.nextBoolean();
      int rows = point ? 1 : 1 + random.nextInt(2000);
      Query query = bench.query(point ? PriorityClass.POINT : PriorityClass.RANGE, rows, rows, 1);
      TestDemand demand = new TestDemand("d", query, 0, List.of(node), rows, this::started);
      bench.scheduler.submit(demand);
      refused += demand.refusals;
    }

    private void started(TestDemand demand) {
      double noise = Math.exp(0.3 * random.nextGaussian());
      double work = (POINT_NANOS + (demand.rows - 1) * rowNanos) * noise;
      machine.run(work, () -> finish(demand));
    }

    private void finish(TestDemand demand) {
      long took = bench.time.nanoTime() - demand.query().arrivalNanos();
      if (demand.query().priorityClass() == PriorityClass.POINT) {
        points++;
        pointNanos += (double) took;
      } else {
        ranges++;
        rangeNanos += (double) took;
      }
      refused += demand.refusals;
      demand.finish((long) demand.rows, (long) (demand.rows * 1000));
      next();
    }
  }

  @ParameterizedTest
  @CsvSource({"10000,1", "20000,2"})
  void no_read_is_refused_and_point_reads_do_not_wait_for_scans(double rowNanos, long seed) {
    Clients clients = new Clients(seed, rowNanos);

    clients.run(200, 40_000 * MS);

    assertThat(clients.refused).isZero();
    assertThat(clients.pointNanos / clients.points).isLessThan(10.0 * MS);
    assertThat(clients.rangeNanos / clients.ranges).isLessThan(2500.0 * MS);
    assertThat(clients.bench.scheduler.snapshot().nodes())
        .allMatch(node -> node.range().shed() + node.range().expired() == 0);
  }
}
