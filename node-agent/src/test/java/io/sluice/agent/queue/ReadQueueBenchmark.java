package io.sluice.agent.queue;

import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
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

/**
 * Measures one add and one poll with a number of queued tasks, without the classifier's work.
 *
 * <p>{@code mvn -q -pl node-agent test-compile exec:exec -Dbench="ReadQueueBenchmark -prof gc"}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadQueueBenchmark {
  @Param({"10000"})
  int queued;

  @Param({"sluice", "fifo", "stock"})
  String kind;

  private final Task[] tasks = new Task[1 << 16];
  private Queue<Object> queue = new ConcurrentLinkedQueue<>();
  private int next;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] =
          random.nextInt(4) == 0
              ? Task.localPoint("point")
              : Task.range("range", 1 + random.nextInt(100), random.nextInt(5000));
    }
    if (!kind.equals("stock")) {
      ReadQueue ours =
          new ReadQueue(
              Task.CLASSIFIER, TimeUnit.SECONDS.toNanos(1), System::nanoTime, fault -> {});
      ours.setEnabled(kind.equals("sluice"));
      queue = ours;
    }
    for (int i = 0; i < queued; i++) {
      queue.add(task());
    }
  }

  @Benchmark
  public Object offer_and_poll() {
    queue.add(task());
    return queue.poll();
  }

  private Task task() {
    return tasks[next++ & (tasks.length - 1)];
  }
}
