package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanStep;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.time.EqualDelays;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first request of a read that is not split. It goes to one replica after another. It is also
 * the timer that reports a late answer, so that its owner may send a {@link Hedge}. Not safe for
 * several threads: its client's lane.
 */
final class FirstRequest extends EqualDelays.Entry implements ReplicaRead.Listener {

  private final ReadExchange owner;
  private final Plan.Queue plan;
  private final ReplicaRead read;
  private @Nullable QueuedRead firstGranted;
  private @Nullable QueuedRead inFlight;
  private boolean failed;

  /** Creates a request that {@link #start} queues. */
  FirstRequest(ReadExchange owner, Plan.Queue plan) {
    Client client = owner.request().client();
    this.owner = owner;
    this.plan = plan;
    this.read = new ReplicaRead(owner.context(), client, owner.statement().linkKey(client), this);
  }

  void start() {
    read.start();
  }

  /** Returns the read at replicas, beside which a hedge may run. */
  ReplicaRead read() {
    return read;
  }

  /** Whether a request is in flight. */
  boolean isSent() {
    return read.isSent();
  }

  /** Returns when the read was sent for the first time; {@code now} while it waits. */
  long sentNanos(long now) {
    return firstGranted == null ? now : firstGranted.sentNanos(now);
  }

  /** Whether the answer to this request may still become the answer to the read. */
  boolean isUnderWay() {
    return !failed;
  }

  /** Ends the request after the hedge was answered. */
  void onHedgeAnswered() {
    if (inFlight != null && read.isSent()) {
      traced(inFlight, null);
    }
  }

  /** Bounds the request in flight after the read has ended. */
  void letFinish() {
    read.letFinish(owner.nodeTimeoutNanos());
  }

  void abandon() {
    read.abandon();
  }

  @Override
  public Ring ring() {
    return owner.ring();
  }

  @Override
  public List<NodeId> replicas() {
    return plan.replicas();
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    return owner.queued(
        read,
        mayReadTableOfNode() ? owner.context().health().healthyFirst(nodes).subList(0, 1) : nodes);
  }

  /**
   * Whether the pages must come from one node where possible: a SELECT that is not understood may
   * read a table that each node has for itself.
   */
  private boolean mayReadTableOfNode() {
    return owner.statement().classified().shape() == StatementShape.UNKNOWN_SELECT;
  }

  @Override
  public boolean isWanted() {
    return owner.isWanted();
  }

  @Override
  public boolean waitsForClient() {
    Client client = owner.request().client();
    return ReadQuery.isRange(plan) ? client.isCongested() : client.isFull();
  }

  /** Returns the client's own frame for the first node, and a copy for later ones. */
  @Override
  public Frame frame(Node node, QueuedRead granted) {
    Frame frame = firstGranted == null ? owner.request().frame().share() : owner.anotherFrame();
    firstGranted = firstGranted == null ? granted : firstGranted;
    inFlight = granted;
    startLateTimer(granted);
    return ReadQuery.isRange(plan)
        ? owner.context().hinted(frame, node.id(), ReadQuery.hint(plan))
        : frame;
  }

  private void startLateTimer(QueuedRead granted) {
    SchedulingConfig config = owner.context().config().scheduling();
    if (config.hedges() && owner.mayHedge() && isHedgeable()) {
      owner
          .context()
          .hedges()
          .of(owner.lane())
          .sent(this, granted.lateNanos(), config.hedgeShare());
    }
  }

  /**
   * Whether a second replica may run the same read: a point read without Paxos and tracing that
   * does not wait behind all other reads of its tenant.
   */
  private boolean isHedgeable() {
    Statement statement = owner.statement();
    return statement.classified().shape() == StatementShape.POINT_READ
        && plan.replicas().size() > 1
        && !statement.isSerial()
        && !statement.isLast()
        && !owner.request().frame().tracing();
  }

  @Override
  protected void due() {
    read.guarded(owner::late);
  }

  @Override
  public @Nullable Kind rows() {
    return ReadQuery.rows(owner.statement(), plan);
  }

  @Override
  public void requestEnded(QueuedRead granted, @Nullable Frame answer) {
    callOff();
    if (!owner.isOver()) {
      traced(granted, answer);
    }
  }

  private void traced(QueuedRead granted, @Nullable Frame answer) {
    ReadTrace trace = owner.trace();
    if (trace != null) {
      trace.ended(new PlanStep.Named("read"), "", granted, answer, 0);
    }
  }

  @Override
  public void attemptLost() {
    // No resource is held for an attempt.
  }

  @Override
  public void answered(Frame answer, int error) {
    if (owner.isOver() || (error >= 0 && owner.isHedged())) {
      failed = true;
      answer.release();
      return;
    }
    boolean sheds = error == ErrorCode.OVERLOADED || error == ErrorCode.IS_BOOTSTRAPPING;
    if (sheds && owner.isWanted() && read.afterShedding()) {
      answer.release();
    } else {
      owner.onFirstAnswered(answer);
    }
  }

  @Override
  public void failed(Failure failure) {
    failed = true;
    owner.onFirstFailed(failure);
  }
}
