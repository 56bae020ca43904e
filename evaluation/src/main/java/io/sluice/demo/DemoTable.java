package io.sluice.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.sluice.cluster.ClusterFailure;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The table that both targets read: keys from 0 on, one row of 1 KB each. */
final class DemoTable {
  static final String KEYSPACE = "demo";
  static final String POINT = "SELECT k, v FROM demo.t WHERE k = ?";
  static final String RANGE = "SELECT k, v FROM demo.t WHERE token(k) >= ? LIMIT ?";

  private static final int VALUE_CHARS = 1000;
  private static final int IN_FLIGHT = 128;

  private final CqlSession session;

  DemoTable(CqlSession session) {
    this.session = session;
  }

  /** Creates the keyspace and the table. */
  void create(String replication) {
    session.execute("CREATE KEYSPACE IF NOT EXISTS demo WITH replication = " + replication);
    session.execute("CREATE TABLE IF NOT EXISTS demo.t (k bigint PRIMARY KEY, v text)");
  }

  /** Writes the rows, up to 128 at a time. Throws after the first row that cannot be written. */
  void load(int rows, ProgressBar bar) throws InterruptedException {
    PreparedStatement insert = session.prepare("INSERT INTO demo.t (k, v) VALUES (?, ?)");
    Random random = new Random(42);
    Semaphore free = new Semaphore(IN_FLIGHT);
    AtomicLong written = new AtomicLong();
    AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    for (long k = 0; k < rows && fault.get() == null; k++) {
      free.acquire();
      session
          .executeAsync(insert.bind(k, value(random)))
          .whenComplete(
              (done, error) -> {
                if (error != null) {
                  fault.compareAndSet(null, error);
                }
                bar.show(written.incrementAndGet());
                free.release();
              });
    }
    free.acquire(IN_FLIGHT);
    Throwable first = fault.get();
    if (first != null) {
      throw new ClusterFailure("cannot write a row: " + first.getMessage(), first);
    }
  }

  private static String value(Random random) {
    StringBuilder value = new StringBuilder(VALUE_CHARS);
    while (value.length() < VALUE_CHARS) {
      value.append(Long.toString(random.nextLong() >>> 1, Character.MAX_RADIX));
    }
    value.setLength(VALUE_CHARS);
    return value.toString();
  }
}
