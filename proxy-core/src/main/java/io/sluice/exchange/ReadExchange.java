package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A read that goes to one replica at a time, whole, and waits for its turn there. */
final class ReadExchange extends Exchange implements ReplicaReadListener {

  private static final String NO_TABLE = "";

  private final Plan.Queue plan;
  private final Query query;
  private final ReplicaRead read;
  private @Nullable QueuedRead first;
  private boolean sent;

  ReadExchange(ProxyContext context, ClientRequest request, Statement statement, Plan.Queue plan) {
    super(context, request, statement, context.readTimeoutNanos(statement, plan.priorityClass()));
    this.plan = plan;
    this.query = query(context, request, statement, plan, arrival());
    this.read =
        new ReplicaRead(context, request.client(), statement.linkKey(request.client()), this);
  }

  /** Its place in the queues. */
  static Query query(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      Plan.Queue plan,
      long arrival) {
    long allowed = context.readTimeoutNanos(statement, plan.priorityClass());
    long deadline = arrival + atMost(allowed, statement.ruling());
    return context
        .scheduler()
        .query(
            new QueryFacts(
                plan.priorityClass(),
                costs(context, statement, plan),
                statement.tenant(request.client()),
                deadline,
                plan.rows(),
                plan.limit(),
                1,
                statement.weight(),
                statement.isLast()));
  }

  /** The name under which its costs are kept; one for all names that are no table's. */
  private static String costs(ProxyContext context, Statement statement, Plan.Queue plan) {
    String keyspace = statement.shape().keyspace();
    String name = statement.shape().table();
    if (keyspace == null
        || name == null
        || context.view().catalog().table(keyspace, name) == null) {
      return NO_TABLE;
    }
    String table = keyspace + "." + name;
    Kind rows = rows(statement, plan);
    return rows == null ? table : rows.costsOf(table);
  }

  @Override
  protected void begin() {
    read.start();
  }

  @Override
  public List<NodeId> replicas() {
    return plan.replicas();
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    QueuedRead queued = new QueuedRead(read, query, 0, nodes, plan.rows());
    first = first == null ? queued : first;
    return queued;
  }

  @Override
  protected long sentNanos(long now) {
    return first == null ? now : first.sentNanos(now);
  }

  @Override
  public boolean isWanted() {
    if (!request().replyTo().isOpen()) {
      fail(new Failure.Unknown("The client is gone"));
    }
    return !isOver();
  }

  @Override
  public boolean waitsForClient() {
    Client client = request().client();
    return isRange() ? client.isCongested() : client.isFull();
  }

  private boolean isRange() {
    return plan.priorityClass() == PriorityClass.RANGE;
  }

  /**
   * The client's own frame, or a copy once its bytes may be on their way. A node finds out itself
   * how many replicas a range read takes that goes to it whole.
   */
  @Override
  public Frame frame(Node node, QueuedRead granted) {
    Frame frame = sent ? request().frame().copy() : request().frame().share();
    sent = true;
    return isRange() ? context().hinted(frame, node.id(), hint(plan)) : frame;
  }

  @Override
  public @Nullable Kind rows() {
    return rows(statement(), plan);
  }

  private static @Nullable Kind rows(Statement statement, Plan.Queue plan) {
    return plan.priorityClass() == PriorityClass.RANGE ? Kind.of(statement.shape().select()) : null;
  }

  /** What an agent is told of it. */
  static RangeHint hint(Plan.Queue plan) {
    return new RangeHint(RangeHint.WIDTH_UNKNOWN, Math.round(plan.rows()));
  }

  @Override
  public void requestEnded(QueuedRead granted, @Nullable Frame answer) {
    ReadTrace trace = trace();
    if (trace != null) {
      trace.ended("read", "", granted, answer, 0);
    }
  }

  @Override
  public void attemptLost() {
    // It holds nothing for the time of an attempt.
  }

  @Override
  public void answered(Frame answer, int error) {
    boolean sheds = error == ErrorCode.OVERLOADED || error == ErrorCode.IS_BOOTSTRAPPING;
    if (sheds && isWanted() && read.afterShedding()) {
      answer.release();
    } else {
      answer(answer);
    }
  }

  @Override
  public void failed(Failure failure) {
    fail(failure);
  }

  @Override
  protected void giveUp() {
    read.timeOut();
  }

  @Override
  protected void abandon() {
    read.abandon();
  }

  @Override
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.whole(read.isSent() ? "reading" : "queued");
  }
}
