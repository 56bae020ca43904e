package io.sluice.exchange;

import io.sluice.decide.PriorityClass;
import io.sluice.execute.reply.RequestKind;
import io.sluice.watch.NodeTimeouts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time that a request may take before the proxy answers with an error. It is longer than the
 * node's own timeout, because only the node knows how many replicas have answered.
 *
 * <p>The operator's settings take precedence: {@code scheduling.readTimeout} and {@code
 * rangeTimeout} for reads, {@code requestTimeout} for all requests except TRUNCATE, schema changes
 * and writes to a node's own tables. {@code requestTimeout} also bounds reads without a timeout of
 * their own. Without these settings, the deadline is the nodes' configured timeout plus one second.
 * A request that changes data also gets the time that it may wait in a node before it begins,
 * because the node executes it even after that wait.
 */
final class Deadlines {

  private static final long MARGIN = TimeUnit.SECONDS.toNanos(1);

  /** The deadline while the timeouts of the nodes are unknown. */
  private static final long DEFAULT = TimeUnit.SECONDS.toNanos(12);

  /**
   * The deadline of schema changes and of writes to virtual tables, which have no timeout in
   * Cassandra, and of TRUNCATE while the timeouts of the nodes are unknown. When the node hangs,
   * the request ends earlier, with its link.
   */
  private static final long MAX = TimeUnit.MINUTES.toNanos(10);

  /** A conditional write prepares, proposes and commits in the ballot that succeeds. */
  private static final int WRITES_PER_BALLOT = 3;

  private Deadlines() {}

  /** Returns the time for a read, in nanoseconds. */
  static long read(
      ExchangeConfig config,
      @Nullable NodeTimeouts nodes,
      PriorityClass priorityClass,
      boolean serial) {
    Duration set = config.scheduling().setTimeout(priorityClass);
    if (set != null) {
      return set.toNanos();
    }
    long automatic = readAtNode(config, nodes, priorityClass, serial);
    Duration bound = config.requestTimeout();
    return bound == null ? automatic : Math.min(automatic, bound.toNanos());
  }

  /**
   * Returns how long a node may be at work on a read, in nanoseconds. It does not depend on the
   * operator's settings if the timeouts of the nodes are known.
   */
  static long readAtNode(
      ExchangeConfig config,
      @Nullable NodeTimeouts nodes,
      PriorityClass priorityClass,
      boolean serial) {
    return nodes == null
        ? config.scheduling().timeout(priorityClass).toNanos()
        : MARGIN + (serial ? conditional(nodes) : read(nodes, priorityClass));
  }

  private static long read(NodeTimeouts nodes, PriorityClass priorityClass) {
    return switch (priorityClass) {
      case POINT -> nodes.read().toNanos();
      case RANGE -> nodes.range().toNanos();
    };
  }

  /** Returns the time for a request that does not wait for a permit, in nanoseconds. */
  static long other(ExchangeConfig config, @Nullable NodeTimeouts nodes, RequestKind kind) {
    Duration set = config.requestTimeout();
    long least = set == null ? 0 : set.toNanos();
    return switch (kind) {
      case CHANGE -> Math.max(least, MAX);
      case TRUNCATE -> Math.max(least, nodes == null ? MAX : configured(nodes, kind));
      default -> set != null ? least : nodes == null ? DEFAULT : configured(nodes, kind);
    };
  }

  private static long configured(NodeTimeouts nodes, RequestKind kind) {
    long queued = MARGIN + nodes.queue().toNanos();
    return switch (kind) {
      case SIMPLE_WRITE, UNLOGGED_BATCH, COUNTER_BATCH -> queued + write(nodes);
      // The node writes the batch log first.
      case LOGGED_BATCH -> queued + 2 * nodes.write().toNanos();
      case CONDITIONAL_WRITE, CONDITIONAL_BATCH -> queued + conditional(nodes);
      case TRUNCATE -> queued + nodes.truncate().toNanos();
      case CHANGE -> MAX;
      case READ, OTHER -> MARGIN + nodes.request().toNanos();
    };
  }

  /** Returns the longer of the two timeouts, because the statement may write a counter. */
  private static long write(NodeTimeouts nodes) {
    return Math.max(nodes.write().toNanos(), nodes.counterWrite().toNanos());
  }

  /**
   * Returns the longest time of a Paxos operation: no ballot begins after the contention timeout,
   * and the last ballot takes one read and three writes.
   */
  private static long conditional(NodeTimeouts nodes) {
    return nodes.contention().toNanos()
        + nodes.read().toNanos()
        + WRITES_PER_BALLOT * nodes.write().toNanos();
  }
}
