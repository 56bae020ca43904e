package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Makes the tables and writes their rows. */
public final class Loader {
  private static final int IN_FLIGHT = 64;
  private static final int ATTEMPTS = 5;

  private final CqlSession session;
  private final Data data;

  /** Loads through this session. */
  public Loader(CqlSession session, Data data) {
    this.session = session;
    this.data = data;
  }

  /** Makes the keyspace and its tables anew. */
  public void create(String replication) {
    session.execute("DROP KEYSPACE IF EXISTS " + data.keyspace());
    session.execute("CREATE KEYSPACE " + data.keyspace() + " WITH replication = " + replication);
    for (int i = 0; i < data.tables(); i++) {
      session.execute(
          "CREATE TABLE " + data.table(i) + " (k blob PRIMARY KEY, v blob, sum bigint)");
    }
  }

  /**
   * Writes every row to all its replicas, many at a time.
   *
   * @param seed the same seed gives the same values
   * @param progress told how many rows are written
   * @throws IllegalStateException that names the first row's error, if one cannot be written
   */
  public void load(long seed, LongConsumer progress) throws InterruptedException {
    Tables tables = new Tables(session, data);
    SplittableRandom random = new SplittableRandom(seed);
    Semaphore free = new Semaphore(IN_FLIGHT);
    AtomicLong written = new AtomicLong();
    AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    for (int table = 0; table < data.tables(); table++) {
      for (int place = 0; place < data.rows().size() && fault.get() == null; place++) {
        free.acquire();
        ByteBuffer key = data.rows().key(place);
        BoundStatement write =
            tables.write(table, key, Data.value(random)).setConsistencyLevel(ConsistencyLevel.ALL);
        write(write, ATTEMPTS)
            .whenComplete(
                (done, error) -> {
                  if (error != null) {
                    fault.compareAndSet(null, error);
                  }
                  progress.accept(written.incrementAndGet());
                  free.release();
                });
      }
    }
    free.acquire(IN_FLIGHT);
    Throwable first = fault.get();
    if (first != null) {
      throw new IllegalStateException("a row could not be written: " + first.getMessage(), first);
    }
  }

  /** A busy machine may let a write time out; the same row can be written again. */
  private CompletionStage<Void> write(BoundStatement row, int attempts) {
    CompletionStage<Void> sent = session.executeAsync(row).thenAccept(done -> {});
    return attempts == 1
        ? sent
        : sent.handle((done, error) -> error == null ? sent : write(row, attempts - 1))
            .thenCompose(Function.identity());
  }
}
