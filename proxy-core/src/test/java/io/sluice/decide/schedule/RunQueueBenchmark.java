package io.sluice.decide.schedule;

import java.util.SplittableRandom;
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

/** The cost of one step of a node's queue at a given length. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RunQueueBenchmark {
  private static final long SPREAD = 5_000_000_000L;

  @Param("100000")
  int queued;

  private final SplittableRandom random = new SplittableRandom(1);
  private RunQueue<Object> queue = new RunQueue<>();
  private int[] handles = new int[0];
  private long now;
  private long sequence;

  /** Fills the queue with keys that are as far apart as ageing allows. */
  @Setup
  public void fill() {
    queue = new RunQueue<>();
    handles = new int[queued];
    for (int i = 0; i < queued; i++) {
      handles[i] = add();
    }
  }

  /** Adds one item and removes the first, like a queue that stays long. */
  @Benchmark
  public Object enqueueAndDequeue() {
    add();
    return queue.poll();
  }

  /** Moves a random item a little forward. */
  @Benchmark
  public void decreaseKey() {
    int handle = handles[random.nextInt(queued)];
    queue.decrease(handle, queue.key(handle) - random.nextInt(1_000_000));
  }

  /** Removes a random item, and adds one at a random place. */
  @Benchmark
  public Object removeAndEnqueue() {
    int index = random.nextInt(queued);
    Object item = queue.remove(handles[index]);
    handles[index] = add();
    return item;
  }

  private int add() {
    now += 1000;
    return queue.add(this, now + random.nextLong(SPREAD), sequence++, 0);
  }
}
