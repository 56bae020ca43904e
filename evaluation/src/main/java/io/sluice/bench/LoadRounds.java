package io.sluice.bench;

import io.sluice.rawcql.ErrorResponse;
import io.sluice.rawcql.Pipeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** The connections to one host, with a thread each, and the figures of each round. */
final class LoadRounds implements Closeable {
  private final List<Pipeline> connections;
  private final ProcessorTime processor;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Round> rounds = new ArrayList<>();

  /**
   * The figures of one round.
   *
   * @param perSecond responses a second
   * @param p50Micros median time of a request
   * @param p99Micros 99th percentile of the time of a request
   * @param cpuMicros processor time of the host's process for each request; NaN if unknown
   */
  record Round(double perSecond, double p50Micros, double p99Micros, double cpuMicros) {}

  LoadRounds(List<Pipeline> connections, ProcessorTime processor) {
    this.connections = connections;
    this.processor = processor;
  }

  /** Loads the host for {@code nanos}, and records the round if {@code counted}. */
  void run(long nanos, boolean counted) throws IOException {
    double cpu = processor.seconds();
    long began = System.nanoTime();
    Histogram all = runAll(nanos);
    double seconds = (System.nanoTime() - began) / 1e9;
    double used = processor.seconds() - cpu;
    if (counted) {
      long requests = all.getTotalCount();
      rounds.add(
          new Round(
              requests / seconds,
              all.getValueAtPercentile(50) / 1e3,
              all.getValueAtPercentile(99) / 1e3,
              processor.isKnown() ? used * 1e6 / requests : Double.NaN));
    }
  }

  private Histogram runAll(long nanos) throws IOException {
    List<Future<Histogram>> running = new ArrayList<>();
    for (Pipeline each : connections) {
      running.add(
          threads.submit(
              () -> {
                Histogram took = new Histogram(3);
                each.run(nanos, took::recordValue);
                return took;
              }));
    }
    Histogram all = new Histogram(3);
    for (Future<Histogram> each : running) {
      all.add(result(each));
    }
    return all;
  }

  private static Histogram result(Future<Histogram> running) throws IOException {
    try {
      return running.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ErrorResponse error) {
        throw error;
      }
      throw new IOException("a connection failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Returns the counted rounds. */
  List<Round> rounds() {
    return rounds;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (Pipeline each : connections) {
      each.close();
    }
  }
}
