package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.HashMap;
import java.util.Map;

/**
 * The sizes of a node's thread pools.
 *
 * @param concurrentReads threads of its read stage; at least 1
 * @param requestThreads CQL requests it has begun at most, {@code native_transport_max_threads}; at
 *     least 1
 */
public record NodePools(int concurrentReads, int requestThreads) {

  /** What nodes have unless they are configured otherwise. */
  public static final NodePools DEFAULT = new NodePools(32, 128);

  /** What a node is asked; the table is its own. */
  static final String QUESTION = "SELECT name, active_tasks_limit FROM system_views.thread_pools";

  private static final String READS = "ReadStage";
  private static final String REQUESTS = "Native-Transport-Requests";

  /** The pools in a node's answer. */
  static NodePools of(Iterable<Row> rows) {
    Map<String, Integer> limits = new HashMap<>();
    for (Row row : rows) {
      limits.put(String.valueOf(row.getString("name")), row.getInt("active_tasks_limit"));
    }
    return of(limits);
  }

  /** Pools that Cassandra has not begun to use are not among them. */
  static NodePools of(Map<String, Integer> limits) {
    return new NodePools(
        Math.max(1, limits.getOrDefault(READS, DEFAULT.concurrentReads())),
        Math.max(1, limits.getOrDefault(REQUESTS, DEFAULT.requestThreads())));
  }
}
