package io.sluice.server;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.HashMap;
import java.util.Map;

/** The looks at one node's virtual tables, and their sum. Not safe for several threads. */
final class ReadTables {

  private static final String STAGE =
      "SELECT active_tasks, pending_tasks FROM system_views.thread_pools WHERE name = 'ReadStage'";

  private final CqlSession session;
  private final Node node;
  private Map<String, Latency> pointsBefore = Map.of();
  private Map<String, Latency> scansBefore = Map.of();
  private long began;
  private int looks;
  private long running;
  private long waiting;

  /** Reads of one table as the node has counted them, and their times. */
  record Latency(long count, double median, double slow) {}

  ReadTables(CqlSession session, Node node) {
    this.session = session;
    this.node = node;
  }

  Node node() {
    return node;
  }

  /** Reads what has been counted until now. */
  void begin(long now) {
    pointsBefore = latencies("local_read_latency");
    scansBefore = latencies("local_scan_latency");
    began = now;
  }

  /** Looks once at what runs and waits. */
  void look() {
    Row stage = session.execute(SimpleStatement.newInstance(STAGE).setNode(node)).one();
    if (stage != null) {
      looks++;
      running += number(stage, "active_tasks");
      waiting += number(stage, "pending_tasks");
    }
  }

  /** A bigint here, an int in other versions. */
  private static long number(Row row, String column) {
    Object value = row.getObject(column);
    return value instanceof Number number ? number.longValue() : 0;
  }

  private Map<String, Latency> latencies(String table) {
    Map<String, Latency> all = new HashMap<>();
    SimpleStatement select =
        SimpleStatement.newInstance("SELECT * FROM system_views." + table).setNode(node);
    for (Row row : session.execute(select)) {
      all.put(
          row.getString("keyspace_name") + "." + row.getString("table_name"),
          new Latency(number(row, "count"), row.getDouble("p50th_ms"), row.getDouble("p99th_ms")));
    }
    return all;
  }

  /** All that was seen since {@link #begin}. */
  ReadLoad end(long now) {
    Sum points = new Sum(pointsBefore, latencies("local_read_latency"));
    Sum scans = new Sum(scansBefore, latencies("local_scan_latency"));
    double seconds = (now - began) / 1e9;
    return new ReadLoad(
        seconds,
        points.count,
        scans.count,
        points.median(),
        scans.median(),
        scans.slow(),
        looks == 0 ? 0 : (double) running / looks,
        looks == 0 ? 0 : (double) waiting / looks);
  }

  /** The reads of all tables between two looks, each table with its own times. */
  static final class Sum {
    private long count;
    private double medians;
    private double slows;

    Sum(Map<String, Latency> before, Map<String, Latency> after) {
      after.forEach(
          (table, now) -> {
            Latency then = before.get(table);
            long more = Math.max(0, now.count() - (then == null ? 0 : then.count()));
            count += more;
            medians += more * finite(now.median());
            slows += more * finite(now.slow());
          });
    }

    private static double finite(double value) {
      return Double.isFinite(value) ? value : 0;
    }

    long count() {
      return count;
    }

    double median() {
      return count == 0 ? 0 : medians / count;
    }

    double slow() {
      return count == 0 ? 0 : slows / count;
    }
  }
}
