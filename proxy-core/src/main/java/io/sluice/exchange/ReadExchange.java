package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.ClientRequest;
import io.sluice.accept.PointReads;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read that goes to one replica, whole, and waits for its turn there. A point read that is late
 * goes to a second one, too: the first answer without an error is the read's, and the other one is
 * dropped.
 */
final class ReadExchange extends Exchange implements ReplicaRead.Listener {

  private static final String NO_TABLE = "";

  private final Plan.Queue plan;
  private final Query query;
  private final ReplicaRead read;
  private @Nullable QueuedRead first;
  private boolean sent;
  private @Nullable QueuedRead underWay;
  private boolean firstFailed;
  private @Nullable Hedge hedge;

  /** Whether it counts among the client's point reads. */
  private boolean counted;

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
    PointReads others = request.client().pointReads();
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
                statement.isLast(),
                isPoint(plan) ? others.underWay() : 0,
                others.latestNanos()));
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
    if (isPoint(plan)) {
      request().client().pointReads().begins(query.placeNanos());
      counted = true;
    }
    read.start();
  }

  @Override
  protected void isNowOver() {
    if (counted) {
      request().client().pointReads().ends();
    }
  }

  private static boolean isPoint(Plan.Queue plan) {
    return plan.priorityClass() == PriorityClass.POINT;
  }

  @Override
  public List<NodeId> replicas() {
    return plan.replicas();
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    QueuedRead queued = queued(read, nodes);
    first = first == null ? queued : first;
    return queued;
  }

  QueuedRead queued(ReplicaRead of, List<NodeId> nodes) {
    return new QueuedRead(of, query, 0, nodes, plan.rows());
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
    Frame frame = sent ? anotherFrame() : request().frame().share();
    sent = true;
    underWay = granted;
    watch(granted);
    return isRange() ? context().hinted(frame, node.id(), hint(plan)) : frame;
  }

  Frame anotherFrame() {
    return request().frame().copy();
  }

  /** Has itself told when the node takes longer than it should. */
  private void watch(QueuedRead granted) {
    SchedulingConfig config = context().config().scheduling();
    if (config.hedges() && hedge == null && mayBeHedged()) {
      context().hedges().of(lane()).sent(read, granted.lateNanos(), config.hedgeShare());
    }
  }

  /**
   * Whether a second node may do the same work: a plain read of one partition that neither is a
   * round of Paxos nor leaves a trace, nor is to wait behind all others.
   */
  private boolean mayBeHedged() {
    return statement().shape().shape() == StatementShape.POINT_READ
        && plan.replicas().size() > 1
        && !statement().isSerial()
        && !statement().isLast()
        && !request().frame().tracing();
  }

  @Override
  public void late() {
    if (isWanted() && hedge == null && read.isSent()) {
      hedge = Hedge.start(this, read);
      if (hedge != null) {
        hedge.begin();
      }
    }
  }

  Query query() {
    return query;
  }

  double rowsToRead() {
    return plan.rows();
  }

  long allowedNanos() {
    return context().readTimeoutNanos(statement(), plan.priorityClass());
  }

  boolean isFirstUnderWay() {
    return !firstFailed;
  }

  private boolean isHedged() {
    return hedge != null && hedge.isUnderWay();
  }

  /** The second request has brought the answer. */
  void answeredBySecond(Frame answer) {
    QueuedRead waits = underWay;
    if (waits != null && read.isSent()) {
      traced(waits, null);
    }
    answer(answer);
    read.letFinish(allowedNanos());
  }

  /** The second request has come to nothing. */
  void secondFailed(Failure failure) {
    if (firstFailed) {
      fail(failure);
    }
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
    read.callOff();
    if (!isOver()) {
      traced(granted, answer);
    }
  }

  private void traced(QueuedRead granted, @Nullable Frame answer) {
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
    if (isOver() || (error >= 0 && isHedged())) {
      firstFailed = true;
      answer.release();
      return;
    }
    boolean sheds = error == ErrorCode.OVERLOADED || error == ErrorCode.IS_BOOTSTRAPPING;
    if (sheds && isWanted() && read.afterShedding()) {
      answer.release();
      return;
    }
    if (hedge != null && hedge.isUnderWay()) {
      hedge.lost();
    }
    answer(answer);
  }

  @Override
  public void failed(Failure failure) {
    firstFailed = true;
    if (!isHedged()) {
      fail(failure);
    }
  }

  @Override
  protected void giveUp() {
    read.timeOut();
    if (hedge != null) {
      hedge.timeOut();
    }
  }

  @Override
  protected void abandon() {
    read.abandon();
    if (hedge != null) {
      hedge.abandon();
    }
  }

  @Override
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.whole(read.isSent() ? "reading" : "queued");
  }
}
