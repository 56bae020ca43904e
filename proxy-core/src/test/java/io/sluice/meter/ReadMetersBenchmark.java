package io.sluice.meter;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.SystemTime;
import java.net.InetSocketAddress;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of counting one read: its phases at a node, its work, its role. Run with the argument
 * {@code -prof gc}, it shows that nothing is allocated.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadMetersBenchmark {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));

  private final SystemTime clock = new SystemTime();
  private final ReadMeters reads = new ReadMeters(new SimpleMeterRegistry());
  private final RoleMeters roles = new RoleMeters(new SimpleMeterRegistry());
  private final Demand read;

  private static final class Read extends Demand {
    Read(Query query) {
      super(query, 0, List.of(NODE), 1);
    }

    @Override
    protected void start(Permit permit) {
      permit.sent();
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new IllegalStateException(refusal.message());
    }
  }

  public ReadMetersBenchmark() {
    InetSocketAddress address = InetSocketAddress.createUnresolved("10.0.0.1", 9042);
    Node node = new Node(NODE, address, "dc", "r", true);
    reads.changed(new Ring(TestPartitioner.ANY, "dc", Map.of(NODE, node), Map.of()));
    Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), clock);
    scheduler.nodes(List.of(new NodeLimits(NODE, 32)));
    read = new Read(scheduler.query(QueryFacts.point("ks.t", "role", Long.MAX_VALUE)));
    scheduler.submit(read);
    roles.worked("role", 100);
    roles.rank();
  }

  /** Counts everything of a point read except the time of its request. */
  @Benchmark
  public void count() {
    reads.ended(read, clock.nanoTime());
    roles.worked("role", 100);
    roles.answered("role");
  }
}
