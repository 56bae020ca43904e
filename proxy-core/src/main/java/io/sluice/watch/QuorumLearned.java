package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.watch.FleetTables.LearnedTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** {@link LearnedTable} over the driver's session. Safe for any thread. */
final class QuorumLearned implements LearnedTable {

  static final String TABLE = FleetSession.KEYSPACE + ".learned";

  /** Lifetime of a row that is not written again, in seconds. */
  static final int LASTS_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);

  /** Maximum number of rows that are read. A row outlives its proxy by up to a day. */
  static final int MAX_ROWS = 64;

  /** Maximum size of a row. A larger row was not written by a proxy. */
  private static final int MAX_BYTES = 1 << 16;

  private static final String READ =
      "SELECT address, port, learned, ttl(learned) AS rest FROM "
          + TABLE
          + " WHERE datacenter = ? LIMIT "
          + MAX_ROWS;
  private static final String WRITE =
      "INSERT INTO "
          + TABLE
          + " (datacenter, address, port, learned) VALUES (?, ?, ?, ?) USING TTL "
          + LASTS_SECONDS;

  private final FleetSession session;

  QuorumLearned(FleetSession session) {
    this.session = session;
  }

  @Override
  public CompletionStage<List<Row>> read() {
    return session
        .ask(SimpleStatement.newInstance(READ, session.datacenter()), MAX_ROWS)
        .thenApply(QuorumLearned::rows);
  }

  @Override
  public CompletionStage<?> write(InetSocketAddress own, ByteBuffer learned) {
    return session.ask(
        SimpleStatement.newInstance(
            WRITE, session.datacenter(), own.getAddress(), own.getPort(), learned),
        1);
  }

  private static List<Row> rows(AsyncResultSet found) {
    List<Row> rows = new ArrayList<>();
    for (com.datastax.oss.driver.api.core.cql.Row row : found.currentPage()) {
      InetAddress address = row.getInetAddress("address");
      ByteBuffer learned = row.getByteBuffer("learned");
      int port = row.getInt("port");
      boolean complete = address != null && learned != null && FleetSession.isPort(port);
      if (complete && learned.remaining() <= MAX_BYTES) {
        long age = Math.max(0, LASTS_SECONDS - row.getInt("rest"));
        rows.add(new Row(new InetSocketAddress(address, port), age, learned.slice()));
      }
    }
    return rows;
  }
}
