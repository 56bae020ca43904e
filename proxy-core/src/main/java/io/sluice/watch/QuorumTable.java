package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.watch.FleetTables.FleetTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link FleetTable} over the driver's session. Safe for any thread. */
final class QuorumTable implements FleetTable {

  private static final Logger LOG = LoggerFactory.getLogger(QuorumTable.class);

  /** Lifetime of a row that is not written again, in seconds. */
  static final int LASTS_SECONDS = 60;

  static final String TABLE = FleetSession.KEYSPACE + ".proxies";
  static final String SECRET = "secret";
  static final String DEMAND = "demand";

  /** Maximum number of rows. A table with more is not that of a fleet. */
  static final int MAX_ROWS = 1_000;

  /** Reads all columns, because a table of an earlier version may lack some. */
  private static final String READ = "SELECT * FROM " + TABLE + " WHERE datacenter = ? LIMIT ?";

  private final FleetSession session;

  /**
   * The columns that the table lacks: it is of an earlier version, or a coordinator does not know
   * its new columns yet.
   */
  private final Set<String> missingColumns = ConcurrentHashMap.newKeySet();

  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  QuorumTable(FleetSession session) {
    this.session = session;
  }

  @Override
  public CompletionStage<List<Row>> read() {
    return ask(SimpleStatement.newInstance(READ, session.datacenter(), MAX_ROWS + 1))
        .thenCompose(
            rows -> {
              missingColumns.removeIf(rows.getColumnDefinitions()::contains);
              List<Row> read = rows(rows);
              return read.size() > MAX_ROWS || rows.hasMorePages()
                  ? FleetSession.failed(TABLE + " has more than " + MAX_ROWS + " rows", null)
                  : CompletableFuture.completedFuture(read);
            });
  }

  @Override
  public CompletionStage<?> write(Row own, long micros) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("datacenter", session.datacenter());
    values.put("instance", own.instance());
    values.put("address", own.address().getAddress());
    values.put("port", own.address().getPort());
    values.put("beat", own.beat());
    UUID secret = own.secret();
    if (secret != null) {
      values.put(SECRET, secret);
    }
    if (!own.demand().isEmpty()) {
      values.put(DEMAND, own.demand());
    }
    values.keySet().removeAll(missingColumns);
    return ask(insert(values, micros))
        .exceptionallyCompose(
            failure -> {
              onFailedWrite(String.valueOf(failure.getMessage()));
              return CompletableFuture.failedFuture(failure);
            });
  }

  private static SimpleStatement insert(Map<String, Object> values, long micros) {
    String marks = String.join(", ", Collections.nCopies(values.size(), "?"));
    return SimpleStatement.newInstance(
            "INSERT INTO "
                + TABLE
                + " ("
                + String.join(", ", values.keySet())
                + ") VALUES ("
                + marks
                + ") USING TTL "
                + LASTS_SECONDS,
            values.values().toArray())
        .setQueryTimestamp(micros);
  }

  /**
   * Records a missing column. Heartbeats go on without it, so the proxies still find each other,
   * until a read shows the column.
   */
  private void onFailedWrite(String failure) {
    for (String column : List.of(SECRET, DEMAND)) {
      if (!failure.contains("Undefined column name " + column)) {
        continue;
      }
      missingColumns.add(column);
      if (reported.add(column)) {
        LOG.warn(
            "{} lacks the column {}, so that {}: run `sluice fleet init` again",
            TABLE,
            column,
            column.equals(SECRET)
                ? "range reads wait at each proxy alone"
                : "limits of rules and range slots of nodes hold for each proxy alone, and with"
                    + " cluster.credentials range reads wait there alone");
      }
    }
  }

  private CompletionStage<AsyncResultSet> ask(SimpleStatement statement) {
    return session.ask(statement, MAX_ROWS + 1);
  }

  private static List<Row> rows(AsyncResultSet found) {
    List<Row> rows = new ArrayList<>();
    for (com.datastax.oss.driver.api.core.cql.Row row : found.currentPage()) {
      UUID instance = row.getUuid("instance");
      InetAddress address = row.getInetAddress("address");
      int port = row.getInt("port");
      boolean departure = port == 0 && !row.isNull("port");
      if (instance != null
          && address != null
          && (departure || FleetSession.isPort(port))
          && !address.isAnyLocalAddress()) {
        UUID secret = row.getColumnDefinitions().contains(SECRET) ? row.getUuid(SECRET) : null;
        String demand = row.getColumnDefinitions().contains(DEMAND) ? row.getString(DEMAND) : null;
        InetSocketAddress at = new InetSocketAddress(address, port);
        rows.add(new Row(instance, at, row.getLong("beat"), secret, demand == null ? "" : demand));
      }
    }
    return rows;
  }
}
