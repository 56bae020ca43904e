package io.sluice.server.tool;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.HashMap;
import java.util.Map;

/** Samples one node's virtual tables and sums the samples. Not safe for several threads. */
final class ReadTables {

  private static final String STAGE =
      "SELECT active_tasks, pending_tasks FROM system_views.thread_pools WHERE name = 'ReadStage'";

  private final CqlSession session;
  private final Node node;
  private Map<String, Latency> pointsBefore = Map.of();
  private Map<String, Latency> scansBefore = Map.of();
  private long began;
  private int samples;
  private long running;
  private long waiting;

  /** The counted reads of one table, with their times. */
  record Latency(long count, double median, double slow) {}

  ReadTables(CqlSession session, Node node) {
    this.session = session;
    this.node = node;
  }

  Node node() {
    return node;
  }

  /** Reads the counts at the start. */
  void begin(long now) {
    pointsBefore = latencies("local_read_latency");
    scansBefore = latencies("local_scan_latency");
    began = now;
  }

  /** Samples the running and the waiting reads. */
  void sample() {
    Row stage = session.execute(SimpleStatement.newInstance(STAGE).setNode(node)).one();
    if (stage != null) {
      samples++;
      running += number(stage, "active_tasks");
      waiting += number(stage, "pending_tasks");
    }
  }

  /** Reads a number, which is a bigint or an int, depending on the version. */
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

  /** Returns the load since {@link #begin}. */
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
        samples == 0 ? 0 : (double) running / samples,
        samples == 0 ? 0 : (double) waiting / samples);
  }

  /** The reads of all tables between two samples, each table weighted with its own times. */
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
