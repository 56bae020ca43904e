package io.sluice.exchange;

import io.sluice.decide.plan.PlanStep;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Preview;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.execute.reply.Failure;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.HedgeMeters.Outcome;
import io.sluice.meter.HedgeMeters.Skipped;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The second request of a point read whose first request is late. It runs at another replica while
 * the first is in flight. When the first request fails, the hedge takes the read over; until then
 * it does not fail over to a third node. Not safe for several threads: its client's lane.
 */
final class Hedge implements ReplicaRead.Listener {

  private final ReadExchange owner;
  private final HedgeMeters meters;
  private final List<NodeId> replicas;
  private final ReplicaRead read;
  private @Nullable QueuedRead inFlight;
  private boolean counted;
  private boolean over;

  private Hedge(ReadExchange owner, HedgeMeters meters, ReplicaRead first, List<NodeId> replicas) {
    this.owner = owner;
    this.meters = meters;
    this.replicas = replicas;
    this.read = first.beside(this);
  }

  /**
   * Returns a second request that {@link #begin} sends. Returns null when the share of hedged reads
   * is used up, or when no healthy replica can begin at once.
   */
  static @Nullable Hedge start(ReadExchange owner, ReplicaRead first) {
    ProxyContext context = owner.context();
    Hedges.OnLane hedges = context.hedges().of(owner.lane());
    List<NodeId> others =
        first.otherReplicas().stream().filter(context.health()::isPreferred).toList();
    if (!hedges.take()) {
      hedges.meters().skipped(Skipped.SHARE);
      return null;
    } else if (!canBegin(context.scheduler(), owner, others)) {
      hedges.giveBack();
      hedges.meters().skipped(Skipped.BUSY);
      return null;
    }
    return new Hedge(owner, hedges.meters(), first, others);
  }

  private static boolean canBegin(Scheduler scheduler, ReadExchange owner, List<NodeId> others) {
    Preview preview =
        others.isEmpty() ? null : scheduler.preview(owner.query(), others, owner.query().rows());
    return preview != null && preview.starts();
  }

  /** Sends the second request. */
  void begin() {
    read.guarded(read::start);
  }

  /** Whether the answer to this request may still become the answer to the read. */
  boolean isUnderWay() {
    return !over;
  }

  /** Ends the hedge after the first request was answered. */
  void onFirstAnswered() {
    count(Outcome.LOST);
    traced(null);
    over = true;
    read.letFinish(owner.nodeTimeoutNanos());
  }

  /** Ends the hedge after the read has ended without an answer. */
  void letFinish() {
    count(Outcome.FAILED);
    over = true;
    read.letFinish(owner.nodeTimeoutNanos());
  }

  void abandon() {
    count(Outcome.FAILED);
    over = true;
    read.abandon();
  }

  private void count(Outcome outcome) {
    if (!counted) {
      counted = true;
      meters.ended(outcome);
    }
  }

  @Override
  public Ring ring() {
    return owner.ring();
  }

  @Override
  public List<NodeId> replicas() {
    return replicas;
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    return owner.queued(read, nodes);
  }

  @Override
  public boolean isWanted() {
    return !over && owner.isWanted();
  }

  @Override
  public boolean waitsForClient() {
    return false;
  }

  @Override
  public Frame frame(Node node, QueuedRead granted) {
    inFlight = granted;
    return owner.anotherFrame();
  }

  @Override
  public @Nullable Kind rows() {
    return null;
  }

  @Override
  public void requestEnded(QueuedRead granted, @Nullable Frame answer) {
    if (!owner.isOver()) {
      traced(answer);
    }
  }

  private void traced(@Nullable Frame answer) {
    ReadTrace trace = owner.trace();
    QueuedRead granted = inFlight;
    if (trace != null && granted != null) {
      trace.ended(new PlanStep.Named("hedge"), "", granted, answer, 0);
      inFlight = null;
    }
  }

  /** Ends the hedge while the first request is in flight, so that it does not fail over. */
  @Override
  public void attemptLost() {
    if (owner.isFirstUnderWay()) {
      count(Outcome.FAILED);
      over = true;
    }
  }

  @Override
  public void answered(Frame answer, int error) {
    if (over || (error >= 0 && owner.isFirstUnderWay())) {
      count(Outcome.FAILED);
      over = true;
      answer.release();
      return;
    }
    count(error >= 0 ? Outcome.FAILED : Outcome.WON);
    over = true;
    owner.onHedgeAnswered(answer);
  }

  @Override
  public void failed(Failure failure) {
    count(Outcome.FAILED);
    over = true;
    owner.onHedgeFailed(failure);
  }
}
