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
 * The times of the phases of reads, and of the pieces of range reads, by class and node. Recording
 * a time allocates nothing and takes no lock. Safe for any thread.
 */
public final class ReadMeters {

  private static final long NEVER = Long.MIN_VALUE;

  private final Map<NodeId, Phases> byNode = new ConcurrentHashMap<>();
  private final MetersByNode<Phases> meters;

  /**
   * Quantiles of the times of reads, in ms. They are as exact as the buckets in which reads are
   * counted.
   *
   * @param p50 half of the reads took no longer
   * @param p99 99 in 100 reads took no longer
   */
  public record ReadTimes(double p50, double p99) {}

  /** The phases at one node. A point read has no merge phase. */
  private record Phases(OfClass point, OfClass range, Timer merge) {

    OfClass of(PriorityClass priorityClass) {
      return priorityClass == PriorityClass.POINT ? point : range;
    }
  }

  private record OfClass(Timer queue, Timer node, Timer client, RecentTimes atNode) {}

  /** Creates meters without nodes. */
  ReadMeters(MeterRegistry registry) {
    this.meters = new MetersByNode<>(registry, byNode::get, this::register);
  }

  /** Updates the meters to the nodes that have queues, and to their addresses. */
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
            "Time of reads and of pieces of range reads: in the queue of the node (queue), at the"
                + " node (node), from the answer to a piece to the end of its page (merge), and of"
                + " a read with a permit until its client has read earlier responses (client)");
  }

  /** Marks the counts until now. Called every five seconds. */
  void mark() {
    for (Phases node : byNode.values()) {
      node.point().atNode().mark();
      node.range().atNode().mark();
    }
  }

  /**
   * Returns how long reads took at a node in the last minute, without their wait for it; null when
   * there were none.
   */
  public @Nullable ReadTimes times(NodeId node, PriorityClass of) {
    Phases known = byNode.get(node);
    return known == null ? null : known.of(of).atNode().times();
  }

  /**
   * Records a read that has ended at the node with a response, or was given up. A read that was not
   * sent is not recorded.
   */
  public void ended(Demand read, long now) {
    OfClass phases = of(read);
    long sent = read.sentNanos(NEVER);
    if (phases != null && sent != NEVER) {
      record(phases.queue(), sent - read.submittedNanos());
      record(phases.node(), now - sent);
    }
  }

  /** Records the wait of a read that gives up its permit until its client has caught up. */
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

  /** Records the time between the answer to a piece and the completion of its page. */
  public void merged(@Nullable NodeId by, long nanos) {
    Phases node = by == null ? null : byNode.get(by);
    if (node != null) {
      record(node.merge(), nanos);
    }
  }

  /** Records the time that a read with a permit has waited for its client. */
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
