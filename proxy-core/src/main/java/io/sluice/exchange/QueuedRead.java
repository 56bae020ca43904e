package io.sluice.exchange;

import io.sluice.decide.Refusal;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place of a {@link ReplicaRead} in one replica's queue, and the request that is sent with its
 * permit. The permit ends exactly once. Not safe for several threads: its client's lane, except for
 * the scheduler's calls.
 */
public class QueuedRead extends Demand implements AttemptListener {

  private final ReplicaRead read;
  private boolean held;
  private @Nullable Attempt attempt;

  /**
   * Creates a place. {@link #enter} puts it into a queue.
   *
   * @param pieceNumber the position among the query's token ranges, from 0
   * @param nodes nodes that may answer, the preferred first; not empty
   * @param rows estimated number of rows that the node reads
   */
  public QueuedRead(
      ReplicaRead read, Query query, int pieceNumber, List<NodeId> nodes, double rows) {
    super(query, pieceNumber, nodes, rows);
    this.read = read;
  }

  /** Called before the read waits, on its client's lane. */
  protected void joins() {}

  /** Called when the read no longer waits, on any thread. */
  protected void leaves() {}

  /** Called on its client's lane before the read waits for its client, without a slot. */
  protected void pauses() {}

  /**
   * Called on its client's lane when the client has caught up.
   *
   * @return false when the read has found another way to its rows, and must not be queued
   */
  protected boolean endsPause() {
    return true;
  }

  /** Enters the queue of one of the nodes. */
  final void enter(Scheduler scheduler) {
    joins();
    scheduler.submit(this);
  }

  /** Leaves the queue; false when the read did not wait any more. May be called on any thread. */
  protected final boolean leave(Scheduler scheduler) {
    leaves();
    return scheduler.cancel(this);
  }

  @Override
  protected final void start(Permit granted) {
    leaves();
    read.lane().run(() -> read.begin(this));
  }

  @Override
  protected final void refuse(Refusal refusal) {
    leaves();
    read.lane().run(() -> read.refused(this, failure(refusal)));
  }

  private static Failure failure(Refusal refusal) {
    return switch (refusal.reason()) {
      case OVERLOADED -> new Failure.Overloaded(refusal.message());
      case DEADLINE -> new Failure.Unknown(refusal.message());
      case UNAVAILABLE -> new Failure.Unreachable(refusal.message());
    };
  }

  /** Holds the permit, until the request has ended. */
  final void hold() {
    held = true;
  }

  /** Whether the permit is held. */
  final boolean isHeld() {
    return held;
  }

  /** Gives the permit back without a request. */
  final void giveTurnBack() {
    held = false;
    finishAbandoned();
  }

  /** Sends the request. */
  final void send(Attempt next) {
    attempt = next;
    sent();
    next.start();
  }

  /** Whether the request is in flight. */
  final boolean isSent() {
    return attempt != null;
  }

  /** Whether the node may have seen the request that is in flight. */
  final boolean isBegun() {
    return attempt != null && attempt.isSent();
  }

  /**
   * Ends the permit with a node's answer. Keeps it if this throws.
   *
   * @param answer the answer, which stays the caller's
   */
  final void finish(Frame answer, int error, @Nullable Kind rows) {
    PermitOutcome.finish(this, answer, error, rows);
    held = false;
  }

  /** Abandons the request in flight and ends the permit. */
  final void giveUp(boolean overloaded) {
    Attempt underWay = attempt;
    attempt = null;
    if (underWay != null) {
      underWay.abandon();
    }
    held = false;
    if (overloaded) {
      finishOverloaded();
    } else {
      finishAbandoned();
    }
  }

  @Override
  public final void ended(NodeAnswer answer) {
    attempt = null;
    if (answer instanceof NodeAnswer.Answered answered) {
      read.answered(this, answered.frame());
    } else {
      read.notAnswered(answer);
    }
  }

  @Override
  public final void broke(Throwable cause) {
    read.broke(cause);
  }

  @Override
  public final void silent(boolean nodeMayHaveSeenIt) {
    read.silent();
  }
}
