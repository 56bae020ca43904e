package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.HashMap;
import java.util.Map;

/**
 * The sizes of a node's thread pools.
 *
 * @param concurrentReads threads of its read stage; at least 1
 * @param requestThreads maximum number of CQL requests that the node runs at once, {@code
 *     native_transport_max_threads}; at least 1
 */
public record NodePools(int concurrentReads, int requestThreads) {

  /** Cassandra's defaults. */
  public static final NodePools DEFAULT = new NodePools(32, 128);

  /** The query for the pools. The queried table is local to the node. */
  static final String QUERY = "SELECT name, active_tasks_limit FROM system_views.thread_pools";

  private static final String READS = "ReadStage";
  private static final String REQUESTS = "Native-Transport-Requests";

  /** Returns the pools in a node's answer. */
  static NodePools of(Iterable<Row> rows) {
    Map<String, Integer> limits = new HashMap<>();
    for (Row row : rows) {
      limits.put(String.valueOf(row.getString("name")), row.getInt("active_tasks_limit"));
    }
    return of(limits);
  }

  /** Uses the defaults for pools that Cassandra has not started, which are missing. */
  static NodePools of(Map<String, Integer> limits) {
    return new NodePools(
        Math.max(1, limits.getOrDefault(READS, DEFAULT.concurrentReads())),
        Math.max(1, limits.getOrDefault(REQUESTS, DEFAULT.requestThreads())));
  }
}
