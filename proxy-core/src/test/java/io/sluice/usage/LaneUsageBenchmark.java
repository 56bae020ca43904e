package io.sluice.usage;

import io.sluice.statement.Statement;
import io.sluice.statement.TestStatements;
import io.sluice.time.TestLane;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
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
 * The cost of the statistics of one answered read of a known statement: those of the statement and
 * of its table. Run with the argument {@code -prof gc}, it shows that nothing is allocated.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LaneUsageBenchmark {

  private final TestLane lane = new TestLane();
  private final LaneUsage usage = new Usage(100, lane).of(lane);
  private final Statement read = TestStatements.of("SELECT v FROM ks.t WHERE k = 1");
  private final Frame answer =
      new TestRows("v int").row(ByteBuffer.allocate(Integer.BYTES)).frame();
  private long took = 1_000_000;

  /** Counts an answer to a point read. */
  @Benchmark
  public void answered() {
    took = took * 31 & 0xFFFFF;
    usage.answered(read, "role", answer, took, took / 2, 1_000);
  }
}
