package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.schedule.Query;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a read that goes to one replica as a whole and waits in its queue. A late point
 * read is also sent to a second replica. The first answer without an error goes to the client; the
 * other answer is dropped. Not safe for several threads: its client's lane.
 */
final class ReadExchange extends Exchange {

  private final Plan.Queue plan;
  private final Query query;
  private final FirstRequest first;
  private @Nullable Hedge hedge;

  /** Whether it counts among the client's point reads. */
  private boolean counted;

  ReadExchange(ProxyContext context, ClientRequest request, Statement statement, Plan.Queue plan) {
    super(context, request, statement, context.readTimeoutNanos(statement, plan.priorityClass()));
    this.plan = plan;
    this.query = ReadQuery.of(context, request, statement, plan, arrival());
    this.first = new FirstRequest(this, plan);
  }

  @Override
  protected void begin() {
    if (ReadQuery.isPoint(plan)) {
      request().client().pointReads().begins(query.placeNanos());
      counted = true;
    }
    first.start();
  }

  @Override
  protected void onEnd() {
    if (counted) {
      request().client().pointReads().ends();
    }
  }

  @Override
  protected long sentNanos(long now) {
    return first.sentNanos(now);
  }

  @Override
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.whole(State.ofRead(first.isSent()));
  }

  Query query() {
    return query;
  }

  /** Returns how long a node may be at work on the read before it counts as overloaded. */
  long nodeTimeoutNanos() {
    return context().nodeTimeoutNanos(statement(), plan.priorityClass());
  }

  /** Returns the nodes that may be asked when no replica can, as their local ones. */
  Ring ring() {
    return context().ring(statement());
  }

  /** Creates a place of the first or the second request in the queue of one of these nodes. */
  QueuedRead queued(ReplicaRead of, List<NodeId> nodes) {
    return new QueuedRead(of, query, 0, nodes, query.rows());
  }

  Frame anotherFrame() {
    return request().frame().copy();
  }

  /** Whether an answer is still needed. Without a client, the exchange ends during this call. */
  boolean isWanted() {
    if (!isOver() && !request().replyTo().isOpen()) {
      fail(new Failure.Unknown("The client is gone"));
      letFinish();
    }
    return !isOver();
  }

  /** Leaves the queues. A request that a node has begun runs on for the time that the node has. */
  private void letFinish() {
    first.letFinish();
    if (hedge != null) {
      hedge.letFinish();
    }
  }

  /** Sends a second request if the first one is still in flight. */
  void late() {
    if (isWanted() && mayHedge() && first.isSent()) {
      hedge = Hedge.start(this, first.read());
      if (hedge != null) {
        hedge.begin();
      }
    }
  }

  /** Whether no second request was sent. */
  boolean mayHedge() {
    return hedge == null;
  }

  boolean isHedged() {
    return hedge != null && hedge.isUnderWay();
  }

  boolean isFirstUnderWay() {
    return first.isUnderWay();
  }

  /** Answers the client with the answer to the first request. */
  void onFirstAnswered(Frame answer) {
    if (hedge != null && hedge.isUnderWay()) {
      hedge.onFirstAnswered();
    }
    answer(answer);
  }

  /** Fails the read unless the second request may still be answered. */
  void onFirstFailed(Failure failure) {
    if (!isHedged()) {
      fail(failure);
    }
  }

  /** Answers the client with the answer to the second request. */
  void onHedgeAnswered(Frame answer) {
    first.onHedgeAnswered();
    answer(answer);
    first.letFinish();
  }

  /** Fails the read if the first request has failed too. */
  void onHedgeFailed(Failure failure) {
    if (!first.isUnderWay()) {
      fail(failure);
    }
  }

  @Override
  protected void giveUp() {
    letFinish();
  }

  @Override
  protected void abandon() {
    first.abandon();
    if (hedge != null) {
      hedge.abandon();
    }
  }
}
