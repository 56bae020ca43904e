package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Preview;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.ProtocolVersion;
import io.sluice.wire.RangeHint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A prediction of what the scheduler would do with a read that came now, as lines of its plan: its
 * work and class, the queues of its nodes, its admission, and the hints for agents. The figures are
 * the scheduler's own. A forecast queues and sends nothing. Not safe for several threads.
 */
public final class Forecast {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MICROS_PER_MILLI = 1e3;

  private final ProxyContext context;
  private final ClientRequest request;
  private final Query query;
  private final Ring ring;
  private final Set<NodeId> nodes = new LinkedHashSet<>();
  private @Nullable Preview first;
  private boolean asked;

  /**
   * Creates a forecast of a read.
   *
   * @param query its place in the queues
   * @param ring the nodes that may coordinate it, as its local ones
   */
  public Forecast(ProxyContext context, ClientRequest request, Query query, Ring ring) {
    this.context = context;
    this.request = request;
    this.query = query;
    this.ring = ring;
  }

  /**
   * Adds the line of a request, and returns it with its predicted work. The first call must be for
   * the first request, whose admission decides whether the read is admitted.
   *
   * @param rows estimated number of rows that the node reads
   */
  public PlanLine add(PlanLine line, double rows) {
    List<NodeId> replicas =
        line.nodes().isEmpty() ? Planner.homeFirst(request.client().id(), ring) : line.nodes();
    Preview preview =
        replicas.isEmpty() ? null : context.scheduler().preview(query, replicas, rows);
    if (!asked) {
      asked = true;
      first = preview;
    }
    nodes.addAll(line.nodes());
    return line.withWork(preview == null ? Double.NaN : preview.workMicros());
  }

  /** Returns the line of the read's class, with the reason. */
  public PlanLine classLine() {
    Preview preview = first;
    if (preview == null) {
      return PlanLine.note("class", "unknown").with("class", null);
    }
    String slots = preview.takesRangeSlots() ? "range" : "point";
    String why = why(preview.takesRangeSlots());
    return PlanLine.note("class", slots + ": " + why)
        .with("class", slots)
        .with("why", why)
        .with("mode", preview.mode().name().toLowerCase(Locale.ROOT))
        .withWork(query.remainingMicros());
  }

  private String why(boolean rangeSlots) {
    if (query.priorityClass() == PriorityClass.RANGE) {
      return "a read of a token range takes one of the node's slots for range reads";
    }
    if (!rangeSlots) {
      return "a read of one partition, or of a few, takes any slot";
    }
    String read =
        query.rows() > query.facts().rows()
            ? "a read whose latest answer was large"
            : "a read of so many keys";
    return read
        + " is predicted to cost more than four reads of one row, and takes a slot for range reads";
  }

  /** Returns one line per node with its queue and the expected wait. */
  public List<PlanLine> queueLines() {
    List<PlanLine> lines = new ArrayList<>();
    for (NodeId node : nodes) {
      NodeState state = context.scheduler().state(node);
      if (state != null) {
        lines.add(line(node, state));
      }
    }
    return lines;
  }

  private PlanLine line(NodeId node, NodeState state) {
    boolean points = query.priorityClass() == PriorityClass.POINT;
    ClassState reads = points ? state.point() : state.range();
    boolean rangeSlots = first != null && first.takesRangeSlots();
    int slots = rangeSlots ? state.rangeSlots() : state.slots();
    int taken =
        rangeSlots ? state.range().inFlight() : state.point().inFlight() + state.range().inFlight();
    String kind = points ? "point" : "range";
    String waits =
        reads.queued() == 0
            ? "no " + kind + " read waits"
            : waitText(reads.expectedNanos()) + " for a slot: " + waiting(reads.queued(), kind);
    String standing = standing(state.standing());
    return PlanLine.at(
            "queue",
            List.of(node),
            waits
                + "; "
                + taken
                + " of "
                + slots
                + (rangeSlots ? " range" : "")
                + " slots taken"
                + (standing == null ? "" : "; the node " + standing))
        .with("queued", reads.queued())
        .with("wait_ms", millis(reads))
        .with("slots", slots)
        .with("slots_taken", taken)
        .with("standing", state.standing().name().toLowerCase(Locale.ROOT));
  }

  private static String waiting(int queued, String kind) {
    return queued == 1 ? "1 " + kind + " read waits" : queued + " " + kind + " reads wait";
  }

  private static String waitText(long nanos) {
    return nanos > 0 ? "about " + PlanLine.millis(nanos / NANOS_PER_MICRO) : "unknown time";
  }

  /** Returns the expected wait, in ms: 0 for an empty queue, null when the wait is unknown. */
  private static @Nullable Double millis(ClassState reads) {
    return reads.queued() > 0 && reads.expectedNanos() == 0
        ? null
        : (Double) (reads.expectedNanos() / NANOS_PER_MICRO / MICROS_PER_MILLI);
  }

  private static @Nullable String standing(NodeStanding standing) {
    return switch (standing) {
      case NORMAL -> null;
      case AVOIDED -> "is avoided";
      case SUSPECT -> "does not answer";
    };
  }

  /** Returns the line that says whether the read would be admitted now. */
  public PlanLine admissionLine() {
    Preview preview = first;
    String memory =
        query.priorityClass() == PriorityClass.RANGE ? request.client().rangeRefusal() : null;
    if (memory != null) {
      return refused(List.of(), memory);
    } else if (preview == null) {
      return refused(List.of(), "no replica that could answer is known");
    } else if (preview.refusal() != null) {
      return refused(List.of(preview.node()), preview.refusal().message());
    } else if (preview.mode() != Mode.ENFORCE) {
      String mode = preview.mode().name().toLowerCase(Locale.ROOT);
      return let(preview, "starts at once: scheduling.mode is " + mode + ", nothing waits");
    }
    return let(
        preview,
        preview.starts()
            ? "would be let in, and start at once"
            : "would be let in, and wait "
                + (preview.waitNanos() > 0
                    ? "about " + PlanLine.millis(preview.waitNanos() / NANOS_PER_MICRO)
                    : "for an unknown time"));
  }

  private static PlanLine refused(List<NodeId> at, String message) {
    return PlanLine.at("admission", at, "would be refused now: " + message)
        .with("refused", true)
        .with("reason", message);
  }

  private static PlanLine let(Preview preview, String note) {
    return PlanLine.at("admission", List.of(preview.node()), note)
        .with("refused", false)
        .with("starts", preview.starts())
        .with(
            "wait_ms",
            preview.starts() || preview.waitNanos() > 0
                ? (Double) (preview.waitNanos() / NANOS_PER_MICRO / MICROS_PER_MILLI)
                : null);
  }

  /** Returns the line of the nodes that would get a hint for Sluice's agent. */
  public PlanLine agentLine(RangeHint hint) {
    List<NodeId> hinted =
        nodes.stream().filter(node -> context.view().agent(node) != NodeAgent.ABSENT).toList();
    String none = noHint(hinted);
    if (none != null) {
      return PlanLine.note("agent", "no hint: " + none).with("hint", false);
    }
    String width =
        hint.width() == RangeHint.WIDTH_UNKNOWN ? "as wide as the node makes it" : width(hint);
    return PlanLine.at(
            "agent", hinted, "a hint goes along: " + width + ", " + hint.rows() + " rows")
        .with("hint", true)
        .with("hint_width", hint.width() == RangeHint.WIDTH_UNKNOWN ? null : hint.width())
        .with("hint_rows", hint.rows());
  }

  private static String width(RangeHint hint) {
    return hint.width() == 1 ? "1 piece" : hint.width() + " pieces";
  }

  private @Nullable String noHint(List<NodeId> hinted) {
    if (!context.config().hints()) {
      return "nodeAgent.hints is off";
    } else if (context.config().onlyPasses()) {
      return "scheduling.mode is passthrough";
    } else if (request.client().version() < ProtocolVersion.CUSTOM_PAYLOAD) {
      return "protocol " + request.client().version() + " cannot carry one";
    }
    return hinted.isEmpty() ? "none of the nodes has Sluice's agent" : null;
  }
}
