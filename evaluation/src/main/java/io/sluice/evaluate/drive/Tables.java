package io.sluice.evaluate.drive;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.load.LoadedRows;
import io.sluice.load.RequestFailure;
import io.sluice.load.ScanRange;
import io.sluice.load.SeenRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The tables, as one target serves them. Safe for any thread. */
public final class Tables {
  private static final int PAGE = 5000;

  private final CqlSession session;
  private final Data data;
  private final List<PreparedStatement> singles = new ArrayList<>();
  private final List<PreparedStatement> ranges = new ArrayList<>();
  private final List<PreparedStatement> writes = new ArrayList<>();

  /** Prepares what is asked of the tables; they have to be there. */
  public Tables(CqlSession session, Data data) {
    this.session = session;
    this.data = data;
    for (int i = 0; i < data.tables(); i++) {
      String table = data.table(i);
      singles.add(session.prepare("SELECT k, v, sum FROM " + table + " WHERE k = ?"));
      ranges.add(
          session.prepare("SELECT k, v, sum FROM " + table + " WHERE token(k) >= ? LIMIT ?"));
      writes.add(session.prepare("INSERT INTO " + table + " (k, v, sum) VALUES (?, ?, ?)"));
    }
  }

  /**
   * At which level requests are asked.
   *
   * @param reads of reads
   * @param writes of writes
   */
  public record Levels(ConsistencyLevel reads, ConsistencyLevel writes) {
    /** One replica is enough. */
    public static final Levels ONE = new Levels(ConsistencyLevel.ONE, ConsistencyLevel.ONE);
  }

  /** What these tables hold. */
  public Data data() {
    return data;
  }

  /**
   * Sends a request.
   *
   * @param verify whether every row is checked, or only how many there are
   * @return null if the answer is right, else why not; an error of the driver fails the stage
   */
  CompletionStage<@Nullable RequestFailure> send(Request request, Levels levels, boolean verify) {
    BoundStatement statement = bind(request, levels);
    if (request.of() == RequestClass.WRITE) {
      return session.executeAsync(statement).thenApply(done -> null);
    }
    ScanRange range = range(request);
    List<SeenRow> seen = new ArrayList<>();
    return session
        .executeAsync(statement)
        .thenCompose(page -> rest(page, 0, verify ? seen : null))
        .thenApply(
            count ->
                verify
                    ? data.rows().fault(range, seen).map(LoadedRows.Fault::failure).orElse(null)
                    : countFault(count, data.rows().expected(range)));
  }

  private static @Nullable RequestFailure countFault(int count, int expected) {
    if (count == expected) {
      return null;
    }
    return count < expected ? RequestFailure.SHORT_READ : RequestFailure.WRONG_ROWS;
  }

  private ScanRange range(Request request) {
    int limit = request.of() == RequestClass.SINGLE ? 1 : request.limit();
    return new ScanRange(data.rows().token(request.place()), null, limit);
  }

  private BoundStatement bind(Request request, Levels levels) {
    ByteBuffer key = data.rows().key(request.place());
    return switch (request.of()) {
      case SINGLE ->
          singles.get(request.table()).bind(key.duplicate()).setConsistencyLevel(levels.reads());
      case RANGE ->
          ranges
              .get(request.table())
              .bind()
              .setToken(0, data.rows().token(request.place()))
              .setInt(1, request.limit())
              .setPageSize(Math.max(PAGE, request.limit()))
              .setConsistencyLevel(levels.reads());
      case WRITE -> {
        ByteBuffer value = Data.value(new SplittableRandom(ThreadLocalRandom.current().nextLong()));
        yield write(request.table(), key, value).setConsistencyLevel(levels.writes());
      }
    };
  }

  BoundStatement write(int table, ByteBuffer key, ByteBuffer value) {
    return writes.get(table).bind(key.duplicate(), value, Data.checksum(key, value));
  }

  CqlSession session() {
    return session;
  }

  /**
   * Counts the rows, taking them out of their pages. The driver's map of requests under way is a
   * HashBiMap of Guava's, whose removed entries still point to those after them: rows that stayed
   * in their pages would live on with these until a full collection, and the clients stand still.
   */
  private static CompletionStage<Integer> rest(
      AsyncResultSet page, int before, @Nullable List<SeenRow> seen) {
    int count = before + page.remaining();
    for (Row row : page.currentPage()) {
      if (seen != null) {
        seen.add(seen(row));
      }
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> rest(next, count, seen))
        : CompletableFuture.completedFuture(count);
  }

  private static SeenRow seen(Row row) {
    ByteBuffer key = Objects.requireNonNull(row.getByteBuffer("k"));
    ByteBuffer value = row.getByteBuffer(Data.VALUE);
    return new SeenRow(key, value != null && Data.checksum(key, value) == row.getLong("sum"));
  }
}
