package io.sluice.ycsb;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.load.LoadedRows;
import io.sluice.load.RequestFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The YCSB client for a table on Sluice or Cassandra. Each thread of YCSB has one; all share a
 * session. The status is OK only for success: requests that time out, are refused, or return
 * incomplete rows get another status, and with {@code sluice.verify} all that return too few or
 * wrong rows. {@code sluice ycsb --help} lists the properties.
 */
// YCSB's interface requires Vector and HashMap.
@SuppressWarnings({"JdkObsolete", "NonApiType"})
public final class SluiceClient extends DB {
  private @Nullable Work work;

  /** The objects that a thread needs, created from its properties. */
  private record Work(
      SharedSession shared,
      BindingSettings settings,
      Statements cql,
      RowReader reader,
      Scans scans,
      Writes writes) {}

  /** A request to the target. */
  private interface Request {
    Status send(Work work);
  }

  @Override
  public void init() throws DBException {
    try {
      BindingSettings settings = BindingSettings.of(getProperties());
      String table = getProperties().getProperty("table", "usertable");
      Statements cql = new Statements(settings.keyspace(), settings.fields(), settings.verify());
      SharedSession shared = SharedSession.acquire(settings, table);
      RowReader reader = new RowReader(cql.allFields());
      work =
          new Work(
              shared,
              settings,
              cql,
              reader,
              new Scans(shared, settings, cql, reader),
              new Writes(shared, settings, cql));
    } catch (IllegalArgumentException | IllegalStateException | DriverException e) {
      throw new DBException(e.getMessage(), e);
    }
  }

  @Override
  public void cleanup() {
    if (work != null) {
      work = null;
      SharedSession.release();
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return execute(
        w -> {
          BoundStatement read = w.shared.prepare(w.cql.read(table, fields)).bind(key);
          Row row = w.shared.cql().execute(asRead(w, read)).one();
          if (row != null) {
            w.reader.copy(row, fields, result);
          }
          return checked(w, row, key, fields);
        });
  }

  @Override
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return execute(
        w -> {
          Scans.Outcome outcome = w.scans.run(table, startkey, recordcount, fields);
          for (Row row : outcome.rows()) {
            HashMap<String, ByteIterator> values = new HashMap<>();
            w.reader.copy(row, fields, values);
            result.add(values);
          }
          return outcome.status();
        });
  }

  /** Writes the given columns, like {@link #insert}: INSERT and UPDATE are the same in CQL. */
  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return insert(table, key, values);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    SortedMap<String, ByteBuffer> columns = new TreeMap<>();
    values.forEach((name, value) -> columns.put(name, utf8(value)));
    return execute(
        w -> {
          w.shared.cql().execute(w.writes.write(table, key, columns));
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return execute(
        w -> {
          w.shared.cql().execute(w.writes.delete(table, key));
          return Status.OK;
        });
  }

  private Status execute(Request request) {
    Work ready = Objects.requireNonNull(work, "init() must be called first");
    try {
      return request.send(ready);
    } catch (DriverException e) {
      return Statuses.of(RequestFailure.of(e));
    }
  }

  private static BoundStatement asRead(Work w, BoundStatement read) {
    return read.setConsistencyLevel(w.settings.reads()).setTracing(w.settings.tracing());
  }

  private static Status checked(
      Work w, @Nullable Row row, String key, @Nullable Set<String> asked) {
    LoadedRows loaded = w.shared.loaded();
    if (loaded != null && (row != null || !w.settings.mayGrow())) {
      boolean intact = row != null && w.reader.seen(row).intact();
      return w.shared.verification().verdict("read of " + key, rowFault(row, intact));
    }
    if (row == null) {
      return Status.NOT_FOUND;
    }
    return w.reader.isWhole(row, asked) ? Status.OK : Statuses.of(RequestFailure.SHORT_READ);
  }

  private static Optional<LoadedRows.Fault> rowFault(@Nullable Row row, boolean intact) {
    if (intact) {
      return Optional.empty();
    }
    return Optional.of(
        row == null
            ? new LoadedRows.Fault(RequestFailure.SHORT_READ, "the row was loaded but not found")
            : new LoadedRows.Fault(RequestFailure.WRONG_ROWS, "the row has changed"));
  }

  private static ByteBuffer utf8(ByteIterator value) {
    return ByteBuffer.wrap(value.toString().getBytes(StandardCharsets.UTF_8));
  }
}
