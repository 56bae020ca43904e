package io.sluice.decide.classify;

import io.sluice.ring.Partitioner;
import io.sluice.ring.TestPartitioner;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time to classify one statement. The target is 2 µs for the SELECT of 200 characters. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ClassifyBenchmark {
  private static final String SHORT = "SELECT v FROM ks.t WHERE k = ?";
  private static final String LONG =
      "SELECT a, b, first_name, last_name, street, city, writetime(v) AS written FROM ks.pair"
          + " WHERE a = 12345 AND b = 'some text in a literal' AND c >= ? AND c < ?"
          + " ORDER BY c DESC LIMIT 100 ALLOW FILTERING";

  /** The statement. */
  @Param({"short", "long"})
  public String statement = "long";

  private final Classifier classifier = new Classifier();
  private final Partitioner partitioner = TestPartitioner.BYTE_SUMS;

  /** Classifies the text and resolves its partition key. */
  @Benchmark
  public Object classify() {
    String cql = statement.equals("long") ? LONG : SHORT;
    return classifier.classify(cql, "ks", TestTables.CATALOG, partitioner);
  }
}
