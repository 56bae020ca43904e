package io.sluice.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.Demand;
import io.sluice.meter.MetersByNode.Registrar;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The phases of reads, and of the pieces of range reads, by class and node. To record one allocates
 * nothing and takes no lock. Safe for any thread.
 */
public final class ReadMeters {

  private static final long NEVER = Long.MIN_VALUE;

  private final Map<NodeId, Phases> byNode = new ConcurrentHashMap<>();
  private final MetersByNode<Phases> meters;

  /**
   * Quantiles of the times of reads, ms. They are as exact as the buckets that reads are counted
   * in.
   *
   * @param p50 half of the reads took no longer
   * @param p99 99 in 100 took no longer
   */
  public record ReadTimes(double p50, double p99) {}

  /** The phases at one node; a point read has nothing to be merged with. */
  private record Phases(OfClass point, OfClass range, Timer merge) {

    OfClass of(PriorityClass priorityClass) {
      return priorityClass == PriorityClass.POINT ? point : range;
    }
  }

  private record OfClass(Timer queue, Timer node, Timer client, RecentTimes atNode) {}

  /** Registers the meters of no node yet. */
  ReadMeters(MeterRegistry registry) {
    this.meters = new MetersByNode<>(registry, byNode::get, this::register);
  }

  /** Follows the nodes of the local data centre. */
  void changed(Ring ring) {
    meters.changed(ring);
    byNode.keySet().removeIf(node -> ring.node(node) == null);
  }

  private void register(Registrar<Phases> node) {
    byNode.put(
        node.node(),
        new Phases(
            ofClass(node, PriorityClass.POINT),
            ofClass(node, PriorityClass.RANGE),
            phase(node, PriorityClass.RANGE, "merge")));
  }

  private static OfClass ofClass(Registrar<Phases> node, PriorityClass of) {
    Timer atNode = phase(node, of, "node");
    return new OfClass(
        phase(node, of, "queue"), atNode, phase(node, of, "client"), new RecentTimes(atNode));
  }

  private static Timer phase(Registrar<Phases> node, PriorityClass of, String phase) {
    return node.and("class", of.name().toLowerCase(Locale.ROOT))
        .and("phase", phase)
        .timer(
            "sluice.read.phase",
            "Time of reads, and of pieces of range reads: in the queue of the node, at the node, of"
                + " a piece from its answer to the end of its page (merge), and where a read's turn"
                + " had come and its client had not read earlier answers (client)");
  }

  /** Remembers what was counted until now. Called every five seconds. */
  void mark() {
    for (Phases node : byNode.values()) {
      node.point().atNode().mark();
      node.range().atNode().mark();
    }
  }

  /**
   * How long reads took at a node in the last minute, without their wait for it; null when there
   * were none.
   */
  public @Nullable ReadTimes times(NodeId node, PriorityClass of) {
    Phases known = byNode.get(node);
    return known == null ? null : known.of(of).atNode().times();
  }

  /** A read has left the node with its answer, or was given up; one that was not sent is none. */
  public void ended(Demand read, long now) {
    OfClass phases = of(read);
    long sent = read.sentNanos(NEVER);
    if (phases != null && sent != NEVER) {
      record(phases.queue(), sent - read.submittedNanos());
      record(phases.node(), now - sent);
    }
  }

  /** A read has waited for its turn, and gives it up until its client has caught up. */
  public void turnGivenUp(Demand read, long now) {
    OfClass phases = of(read);
    if (phases != null) {
      record(phases.queue(), now - read.submittedNanos());
    }
  }

  private @Nullable OfClass of(Demand read) {
    Phases node = byNode.get(read.node());
    return node == null ? null : node.of(read.query().priorityClass());
  }

  /** The page of a piece is complete, so long after the answer to the piece. */
  public void merged(@Nullable NodeId by, long nanos) {
    Phases node = by == null ? null : byNode.get(by);
    if (node != null) {
      record(node.merge(), nanos);
    }
  }

  /** A read whose turn had come at a node has waited for its client. */
  public void waitedForClient(Demand read, long nanos) {
    OfClass phases = of(read);
    if (phases != null) {
      record(phases.client(), nanos);
    }
  }

  private static void record(Timer timer, long nanos) {
    timer.record(nanos, TimeUnit.NANOSECONDS);
  }
}
