package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.shadow.ShadowState.Times;
import io.sluice.ring.NodeId;
import io.sluice.time.Latencies;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one class of reads at one node in the last minute. Not safe for several threads.
 */
final class LastMinute {
  private static final long PART_NANOS = 10_000_000_000L;
  private static final int PARTS = 6;

  private final Deque<Part> parts = new ArrayDeque<>();

  /** Ten seconds of the minute. */
  private static final class Part {
    private final long since;
    private final Latencies now = new Latencies();
    private final Latencies would = new Latencies();
    private final Latencies waits = new Latencies();
    private long refused;

    Part(long since) {
      this.since = since;
    }
  }

  private Part at(long time) {
    Part last = parts.peekLast();
    if (last == null || time - last.since >= PART_NANOS) {
      last = new Part(time);
      parts.addLast(last);
    }
    return last;
  }

  void answered(long took, long time) {
    at(time).now.add(took);
  }

  void wouldAnswer(long waited, long took, long time) {
    Part part = at(time);
    part.waits.add(waited);
    part.would.add(took);
  }

  void wouldRefuse(long time) {
    at(time).refused++;
  }

  /** Removes the parts older than a minute at {@code time}. */
  void forget(long time) {
    while (!parts.isEmpty() && time - parts.getFirst().since >= PARTS * PART_NANOS) {
      parts.removeFirst();
    }
  }

  /**
   * Adds all parts of {@code other}. An instance with added parts can no longer forget them one by
   * one.
   */
  void add(LastMinute other) {
    parts.addAll(other.parts);
  }

  ShadowState state(@Nullable NodeId node, PriorityClass priorityClass, int slots, int queued) {
    return new ShadowState(
        node,
        priorityClass,
        slots,
        queued,
        times(part -> part.now),
        times(part -> part.would),
        times(part -> part.waits),
        parts.stream().mapToLong(part -> part.refused).sum());
  }

  private Times times(Function<Part, Latencies> of) {
    Latencies all = new Latencies();
    parts.forEach(part -> all.add(of.apply(part)));
    return new Times(all.size(), all.quantile(0.5), all.quantile(0.99));
  }
}
