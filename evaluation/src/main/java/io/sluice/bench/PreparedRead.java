package io.sluice.bench;

import io.sluice.rawcql.RawCql;
import java.io.Closeable;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * One prepared read on one connection, with the times of its executions. Not safe for several
 * threads.
 */
final class PreparedRead implements Closeable {
  private final RawCql connection;
  private final RawCql.Request request;
  private final Histogram nanos = new Histogram(3);

  PreparedRead(RawCql connection, RawCql.Request request) {
    this.connection = connection;
    this.request = request;
  }

  /**
   * Sends the request {@code times} times, one after the other, and records the times if {@code
   * counted}.
   */
  void run(int times, boolean counted) throws IOException {
    for (int i = 0; i < times; i++) {
      long began = System.nanoTime();
      connection.execute(request);
      long took = System.nanoTime() - began;
      if (counted) {
        nanos.recordValue(took);
      }
    }
  }

  /** Returns the recorded times, in nanoseconds. */
  Histogram nanos() {
    return nanos;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
