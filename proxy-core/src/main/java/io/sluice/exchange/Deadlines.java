package io.sluice.exchange;

import io.sluice.decide.PriorityClass;
import io.sluice.execute.reply.RequestKind;
import io.sluice.watch.NodeTimeouts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The decision how long a request may take until it is answered with an error. A node's own
 * time-out comes first: only the node knows how many replicas did answer.
 *
 * <p>What the operator has set holds: {@code scheduling.readTimeout} and {@code rangeTimeout} for
 * reads, {@code requestTimeout} for all but TRUNCATE and schema changes, and also for reads as far
 * as it is shorter. Without these the deadline is what the nodes are configured to, plus a second;
 * a request that changes something has in addition the time that it may wait in a node before it
 * begins, because its effect comes even so.
 */
final class Deadlines {

  private static final long MARGIN = TimeUnit.SECONDS.toNanos(1);

  /** As long as no node has told its time-outs. */
  private static final long USUAL = TimeUnit.SECONDS.toNanos(12);

  /**
   * A schema change has no time-out in Cassandra; a request whose node hangs ends when its link
   * does.
   */
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

  /** A conditional write prepares, proposes and commits within the ballot that succeeds. */
  private static final int WRITES_OF_A_BALLOT = 3;

  private Deadlines() {}

  /** Of a read, in nanoseconds. */
  static long read(
      ExchangeConfig config,
      @Nullable NodeTimeouts nodes,
      PriorityClass priorityClass,
      boolean serial) {
    Duration set = config.scheduling().setTimeout(priorityClass);
    if (set != null) {
      return set.toNanos();
    }
    long automatic =
        nodes == null
            ? config.scheduling().timeout(priorityClass).toNanos()
            : MARGIN + (serial ? conditional(nodes) : read(nodes, priorityClass));
    Duration bound = config.requestTimeout();
    return bound == null ? automatic : Math.min(automatic, bound.toNanos());
  }

  private static long read(NodeTimeouts nodes, PriorityClass priorityClass) {
    return switch (priorityClass) {
      case POINT -> nodes.read().toNanos();
      case RANGE -> nodes.range().toNanos();
    };
  }

  /** Of any request that does not wait for a permit, in nanoseconds. */
  static long other(ExchangeConfig config, @Nullable NodeTimeouts nodes, RequestKind kind) {
    Duration set = config.requestTimeout();
    long least = set == null ? 0 : set.toNanos();
    return switch (kind) {
      case CHANGE -> Math.max(least, LONGEST);
      case TRUNCATE -> Math.max(least, nodes == null ? LONGEST : configured(nodes, kind));
      default -> set != null ? least : nodes == null ? USUAL : configured(nodes, kind);
    };
  }

  private static long configured(NodeTimeouts nodes, RequestKind kind) {
    long queued = MARGIN + nodes.queue().toNanos();
    return switch (kind) {
      case SIMPLE_WRITE, UNLOGGED_BATCH, COUNTER_BATCH -> queued + write(nodes);
      // The batch log is written first.
      case LOGGED_BATCH -> queued + 2 * nodes.write().toNanos();
      case CONDITIONAL_WRITE, CONDITIONAL_BATCH -> queued + conditional(nodes);
      case TRUNCATE -> queued + nodes.truncate().toNanos();
      case CHANGE -> LONGEST;
      case READ, OTHER -> MARGIN + nodes.request().toNanos();
    };
  }

  /** Any of them may be the write of a counter. */
  private static long write(NodeTimeouts nodes) {
    return Math.max(nodes.write().toNanos(), nodes.counterWrite().toNanos());
  }

  /** No ballot begins later than the time for contention; the last one still has its steps. */
  private static long conditional(NodeTimeouts nodes) {
    return nodes.contention().toNanos()
        + nodes.read().toNanos()
        + WRITES_OF_A_BALLOT * nodes.write().toNanos();
  }
}
