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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Creates requests to the tables through one target. Safe for any thread. */
public final class Tables {
  static final int PAGE = 5000;

  private final CqlSession session;
  private final Data data;
  private final List<PreparedStatement> singles = new ArrayList<>();
  private final List<PreparedStatement> ranges = new ArrayList<>();
  private final List<PreparedStatement> writes = new ArrayList<>();

  /** Prepares the statements. The tables must exist. */
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
   * Consistency levels of requests.
   *
   * @param reads level of reads
   * @param writes level of writes
   */
  public record Levels(ConsistencyLevel reads, ConsistencyLevel writes) {
    /** ONE for reads and writes. */
    public static final Levels ONE = new Levels(ConsistencyLevel.ONE, ConsistencyLevel.ONE);
  }

  /** Returns the tables' data. */
  public Data data() {
    return data;
  }

  /** Returns requests of a mix. */
  public Requests mix(Mix mix, Levels levels, Check check) {
    RequestSource source = new RequestSource(mix, data);
    return random -> ask(source.next(random), levels, check.rowByRow(random));
  }

  /** Returns reads of several rows by their keys, from the first table. */
  public Requests lists(int keys, Check check) {
    return new KeyLists(session, data, keys, check);
  }

  /** Returns reads of all rows of a table, page by page. */
  public Requests scans(Check check) {
    return new WholeTable(session, data).scans(check);
  }

  /** Returns counts of all rows of the first table. */
  public Requests counts() {
    return new WholeTable(session, data).counts();
  }

  /**
   * Returns one request of a mix.
   *
   * @param verify whether to check every row, or only the number of rows
   */
  Ask ask(Request request, Levels levels, boolean verify) {
    return new Ask(request.of(), () -> send(request, levels, verify));
  }

  private CompletionStage<@Nullable RequestFailure> send(
      Request request, Levels levels, boolean verify) {
    BoundStatement statement = bind(request, levels);
    if (request.of() == RequestClass.WRITE) {
      return session.executeAsync(statement).thenApply(done -> null);
    }
    ScanRange range = range(request);
    return session.executeAsync(statement).thenCompose(page -> checked(page, range, verify));
  }

  private CompletionStage<@Nullable RequestFailure> checked(
      AsyncResultSet page, ScanRange range, boolean verify) {
    return verify
        ? Answer.kept(page, Tables::seen).thenApply(all -> failure(data.rows(), range, all.rows()))
        : Answer.counted(page).thenApply(all -> all.fault(data.rows().expected(range)));
  }

  /** Returns why the rows are not those of the range; null if they are. */
  static @Nullable RequestFailure failure(LoadedRows loaded, ScanRange range, List<SeenRow> seen) {
    return loaded.fault(range, seen).map(LoadedRows.Fault::failure).orElse(null);
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
        ByteBuffer value = data.value(new SplittableRandom(ThreadLocalRandom.current().nextLong()));
        yield write(request.table(), key, value).setConsistencyLevel(levels.writes());
      }
      case LIST, SCAN, COUNT, NARROW, WIDE ->
          throw new IllegalArgumentException("not a class of a mix: " + request.of());
    };
  }

  BoundStatement write(int table, ByteBuffer key, ByteBuffer value) {
    return writes.get(table).bind(key.duplicate(), value, Data.checksum(key, value));
  }

  /** Reads a row with the columns k, v and sum, and checks its checksum. */
  static SeenRow seen(Row row) {
    ByteBuffer key = Objects.requireNonNull(row.getByteBuffer("k"));
    ByteBuffer value = row.getByteBuffer(Data.VALUE);
    return new SeenRow(key, value != null && Data.checksum(key, value) == row.getLong("sum"));
  }
}
