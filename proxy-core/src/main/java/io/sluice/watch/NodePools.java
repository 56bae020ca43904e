package io.sluice.watch;

/**
 * The sizes of a node's thread pools.
 *
 * @param concurrentReads threads of its read stage; at least 1
 * @param requestThreads CQL requests it has begun at most, {@code native_transport_max_threads}; at
 *     least 1
 */
public record NodePools(int concurrentReads, int requestThreads) {

  /** What nodes have unless they are configured otherwise. */
  static final NodePools DEFAULT = new NodePools(32, 128);
}
