package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import io.sluice.time.SystemTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost that the whole scheduler adds to one request, including its query and demand. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SchedulerBenchmark {
  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final List<NodeId> REPLICAS = List.of(NODE);
  private static final QueryFacts POINT = QueryFacts.point("ks.table", "role", Long.MAX_VALUE);

  @Param({"0", "100000"})
  int queued;

  private Scheduler scheduler = scheduler();
  private final ArrayDeque<Permit> running = new ArrayDeque<>(64);

  private final class Read extends Demand {
    Read(Query query) {
      super(query, 0, REPLICAS, 1);
    }

    @Override
    protected void start(Permit permit) {
      running.add(permit);
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new IllegalStateException(refusal.message());
    }
  }

  /** Takes all slots and queues more demands behind them. */
  @Setup
  public void fill() {
    scheduler = scheduler();
    running.clear();
    int before = queued == 0 ? 0 : queued + 32;
    for (int i = 0; i < before; i++) {
      submit();
    }
  }

  /** Submits a demand, and finishes one, which starts the next. */
  @Benchmark
  public void submitAndFinish() {
    submit();
    running.remove().finish(1, 300);
  }

  private void submit() {
    scheduler.submit(new Read(scheduler.query(POINT)));
  }

  private static Scheduler scheduler() {
    SchedulingConfig base = SchedulingConfig.defaults();
    Scheduler made =
        new Scheduler(
            Records.with(
                base,
                "concurrentReads",
                32,
                "rangeSlots",
                8,
                "readTimeout",
                Duration.ofDays(1),
                "rangeTimeout",
                Duration.ofDays(1),
                "pointBacklog",
                1,
                "rangeBacklog",
                1,
                "tenantWeights",
                Map.of()),
            new SystemTime());
    made.nodes(List.of(new NodeLimits(NODE, 32)));
    return made;
  }
}
