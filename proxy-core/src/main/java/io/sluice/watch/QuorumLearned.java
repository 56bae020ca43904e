package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
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

  /** How long a row lasts that is not written again, in seconds. */
  static final int LASTS_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);

  /** Rows that are read; those of addresses that proxies have left last for a day. */
  static final int MOST_ROWS = 64;

  /** A row that is larger is no proxy's. */
  private static final int MOST_BYTES = 1 << 16;

  private static final String READ =
      "SELECT address, port, learned, ttl(learned) AS rest FROM "
          + TABLE
          + " WHERE datacenter = ? LIMIT "
          + MOST_ROWS;
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
        .ask(SimpleStatement.newInstance(READ, session.datacenter()), MOST_ROWS)
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
      boolean whole = address != null && learned != null && FleetSession.isPort(port);
      if (whole && learned.remaining() <= MOST_BYTES) {
        long age = Math.max(0, LASTS_SECONDS - row.getInt("rest"));
        rows.add(new Row(new InetSocketAddress(address, port), age, learned.slice()));
      }
    }
    return rows;
  }
}
