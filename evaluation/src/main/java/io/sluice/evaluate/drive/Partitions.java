package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.load.RequestFailure;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A table of a hundred partitions; the first is very large. Each request reads all rows of one
 * partition, chosen uniformly. Safe for any thread.
 */
public final class Partitions implements Requests {
  /** Number of partitions. */
  public static final int PARTITIONS = 100;

  /** Rows of each partition except the first. */
  public static final int NARROW_ROWS = 100;

  private static final int VALUE_BYTES = 100;
  private static final int ROWS_OF_A_BATCH = 100;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final CqlSession session;
  private final Shape shape;
  private final Check check;
  private final PreparedStatement statement;

  /**
   * The shape of the table.
   *
   * @param keyspace keyspace of the table
   * @param wideRows rows of the first partition
   */
  public record Shape(String keyspace, int wideRows) {
    /** Checks that the first partition is at least as large as the others. */
    public Shape {
      if (wideRows < NARROW_ROWS) {
        throw new IllegalArgumentException("rows of the wide partition: at least " + NARROW_ROWS);
      }
    }

    String table() {
      return keyspace + ".w";
    }

    int rows(int partition) {
      return partition == 0 ? wideRows : NARROW_ROWS;
    }

    /** Returns the number of rows of all partitions. */
    public int allRows() {
      return wideRows + (PARTITIONS - 1) * NARROW_ROWS;
    }
  }

  /** Creates reads through this session. The table must exist. */
  public Partitions(CqlSession session, Shape shape, Check check) {
    this.session = session;
    this.shape = shape;
    this.check = check;
    this.statement = session.prepare("SELECT c, v FROM " + shape.table() + " WHERE k = ?");
  }

  /**
   * Creates the table and writes its rows, in batches of one partition each.
   *
   * @param replication replication of the keyspace
   * @param progress receives the number of rows written so far
   */
  public static void load(
      CqlSession session, Shape shape, String replication, LongConsumer progress) {
    session.execute("DROP KEYSPACE IF EXISTS " + shape.keyspace());
    session.execute("CREATE KEYSPACE " + shape.keyspace() + " WITH replication = " + replication);
    session.execute(
        "CREATE TABLE " + shape.table() + " (k int, c int, v blob, PRIMARY KEY (k, c))");
    PreparedStatement insert =
        session.prepare("INSERT INTO " + shape.table() + " (k, c, v) VALUES (?, ?, ?)");
    long written = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int rows = shape.rows(partition);
      for (int from = 0; from < rows; from += ROWS_OF_A_BATCH) {
        BatchStatementBuilder batch = new BatchStatementBuilder(DefaultBatchType.UNLOGGED);
        int to = Math.min(rows, from + ROWS_OF_A_BATCH);
        for (int row = from; row < to; row++) {
          batch.addStatement(insert.bind(partition, row, value(partition, row)));
        }
        session.execute(batch.setConsistencyLevel(ConsistencyLevel.ALL).build());
        written += to - from;
        progress.accept(written);
      }
    }
  }

  @Override
  public Ask next(SplittableRandom random) {
    int partition = random.nextInt(PARTITIONS);
    boolean verify = check.rowByRow(random);
    return new Ask(
        partition == 0 ? RequestClass.WIDE : RequestClass.NARROW,
        () ->
            session
                .executeAsync(statement.bind(partition).setPageSize(Tables.PAGE))
                .thenCompose(page -> checked(page, partition, verify)));
  }

  private CompletionStage<@Nullable RequestFailure> checked(
      AsyncResultSet page, int partition, boolean verify) {
    int expected = shape.rows(partition);
    return verify
        ? Answer.kept(page, Cell::of).thenApply(all -> fault(partition, expected, all.rows()))
        : Answer.counted(page).thenApply(all -> all.fault(expected));
  }

  /**
   * A row of a partition.
   *
   * @param place clustering key
   * @param value value; null if there is none
   */
  record Cell(int place, @Nullable ByteBuffer value) {
    static Cell of(Row row) {
      return new Cell(row.getInt("c"), row.getByteBuffer("v"));
    }
  }

  /** Returns null if all rows of a partition are there, in order and unchanged; else the reason. */
  static @Nullable RequestFailure fault(int partition, int expected, List<Cell> seen) {
    if (seen.size() < expected) {
      return RequestFailure.SHORT_READ;
    }
    for (int place = 0; place < expected; place++) {
      if (!seen.get(place).equals(new Cell(place, value(partition, place)))) {
        return RequestFailure.WRONG_ROWS;
      }
    }
    return seen.size() == expected ? null : RequestFailure.WRONG_ROWS;
  }

  /** Returns the value of a row: pseudo-random bytes, the same on each call. */
  static ByteBuffer value(int partition, int place) {
    byte[] bytes = new byte[VALUE_BYTES];
    new SplittableRandom(MIX * partition + place).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }
}
