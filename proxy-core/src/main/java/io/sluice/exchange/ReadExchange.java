package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read that waits for its turn at a replica. While its deadline lasts it goes on to another
 * replica when one is lost, silent or overloaded, and to any other node when there is none left, so
 * that the client gets the rows or the error that Cassandra has for it.
 */
public final class ReadExchange extends WholeExchange {

  private static final String NO_TABLE = "";

  private final Plan.Queue plan;
  private final Query query;
  private @Nullable Turn turn;

  public ReadExchange(
      ProxyContext context, ClientRequest request, Statement statement, Plan.Queue plan) {
    super(context, request, statement, context.readTimeoutNanos(plan.priorityClass()));
    this.plan = plan;
    this.query = context.scheduler().query(facts());
  }

  private QueryFacts facts() {
    long deadline = arrival() + context().readTimeoutNanos(plan.priorityClass());
    String tenant = request().client().identity().role();
    return new QueryFacts(
        plan.priorityClass(), costs(), tenant, deadline, plan.rows(), plan.limit(), 1);
  }

  /** The name under which its costs are kept; one for all names that are no table's. */
  private String costs() {
    String keyspace = statement().shape().keyspace();
    String name = statement().shape().table();
    if (keyspace == null
        || name == null
        || context().view().catalog().table(keyspace, name) == null) {
      return NO_TABLE;
    }
    String table = keyspace + "." + name;
    Kind rows = rows();
    return rows == null ? table : rows.costsOf(table);
  }

  /** Which rows it returns; null for a read of partitions. */
  private @Nullable Kind rows() {
    return plan.priorityClass() == PriorityClass.POINT
        ? null
        : Kind.of(statement().shape().select());
  }

  public void start() {
    submit(plan.replicas());
  }

  private void submit(List<NodeId> replicas) {
    Turn next = new Turn(replicas);
    turn = next;
    context().scheduler().submit(next);
  }

  /** Goes on elsewhere; false when there is nobody left to ask. */
  private boolean resubmit() {
    List<NodeId> left = untried(plan.replicas());
    if (left.isEmpty()) {
      left = untried(Planner.home(request().client().id(), context().view().ring()));
    }
    if (left.isEmpty()) {
      return false;
    }
    submit(left);
    return true;
  }

  private List<NodeId> untried(List<NodeId> nodes) {
    return nodes.stream().filter(node -> !hasTried(node)).toList();
  }

  @Override
  public void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      answered(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refused) {
      giveSlotBack();
      fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else if (answer instanceof NodeAnswer.LinkLost lost) {
      giveSlotBack();
      if (!resubmit()) {
        fail(new Failure.Unreachable("No replica could be reached: " + lost.reason()));
      }
    }
  }

  private void answered(Frame frame) {
    int error = Answers.errorCode(frame);
    Permit permit = takePermit();
    if (permit != null) {
      PermitOutcome.finish(permit, frame, error, rows());
    }
    boolean elsewhere = error == ErrorCode.OVERLOADED || error == ErrorCode.IS_BOOTSTRAPPING;
    if (elsewhere && resubmit()) {
      frame.release();
    } else {
      answer(frame);
    }
  }

  /** How many replicas it takes is for the node to find out that it goes to whole. */
  @Override
  Frame outgoing(NodeId node) {
    Frame frame = super.outgoing(node);
    return plan.priorityClass() == PriorityClass.RANGE
        ? context()
            .hinted(frame, node, new RangeHint(RangeHint.WIDTH_UNKNOWN, Math.round(plan.rows())))
        : frame;
  }

  private @Nullable Permit takePermit() {
    Turn current = turn;
    turn = null;
    return current == null ? null : current.permit;
  }

  private void giveSlotBack() {
    Permit permit = takePermit();
    if (permit != null) {
      permit.finishAbandoned();
    }
  }

  @Override
  public void silent(boolean sent) {
    if (untried(plan.replicas()).isEmpty()) {
      return;
    }
    abandonAttempt();
    giveSlotBack();
    resubmit();
  }

  @Override
  void giveUp() {
    Turn current = turn;
    if (current != null && !context().scheduler().cancel(current)) {
      Permit permit = takePermit();
      if (permit != null) {
        permit.finishOverloaded();
      }
    }
  }

  /** One place in one replica's queue. */
  private final class Turn extends Demand {

    private @Nullable Permit permit;

    Turn(List<NodeId> replicas) {
      super(query, 0, replicas, plan.rows());
    }

    @Override
    protected void start(Permit granted) {
      lane().run(() -> begin(granted));
    }

    private void begin(Permit granted) {
      if (turn != this || isOver() || !request().replyTo().isOpen()) {
        granted.finishAbandoned();
        fail(new Failure.Unknown("The client is gone"));
        return;
      }
      if (wouldOnlyWaitForClient()) {
        granted.finishAbandoned();
        request().client().whenDrained(this::again);
        return;
      }
      permit = granted;
      granted.sent();
      send(granted.node());
    }

    private boolean wouldOnlyWaitForClient() {
      Client client = request().client();
      return plan.priorityClass() == PriorityClass.RANGE ? client.isCongested() : client.isFull();
    }

    /** The client can take a large answer again; the query has kept its place. */
    private void again() {
      if (turn == this) {
        submit(plan.replicas());
      }
    }

    @Override
    protected void refuse(Refusal refusal) {
      lane().run(() -> refused(refusal));
    }

    private void refused(Refusal refusal) {
      if (turn == this) {
        turn = null;
        fail(
            switch (refusal.reason()) {
              case OVERLOADED -> new Failure.Overloaded(refusal.message());
              case DEADLINE -> new Failure.Unknown(refusal.message());
              case UNAVAILABLE -> new Failure.Unreachable(refusal.message());
            });
      }
    }
  }
}
