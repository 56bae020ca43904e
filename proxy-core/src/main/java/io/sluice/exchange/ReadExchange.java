package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.Client.PointReads;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a read that goes to one replica as a whole and waits in its queue. A late point
 * read is also sent to a second replica. The first answer without an error goes to the client; the
 * other answer is dropped.
 */
final class ReadExchange extends Exchange implements ReplicaRead.Listener {

  private static final String NO_TABLE = "";

  private final Plan.Queue plan;
  private final Query query;
  private final ReplicaRead read;
  private @Nullable QueuedRead firstGranted;
  private boolean sent;
  private @Nullable QueuedRead inFlight;
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

  /** Returns the query by which the scheduler orders this read. */
  static Query query(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      Plan.Queue plan,
      long arrival) {
    PointReads others = request.client().pointReads();
    long allowed = context.readTimeoutNanos(statement, plan.priorityClass());
    long deadline = arrival + statement.timeoutNanos(allowed);
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
                others.latestNanos(),
                plan.fingerprint()));
  }

  /**
   * Returns the name under which the scheduler keeps the costs of the read. Unknown tables share
   * one name.
   */
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
  protected void onEnd() {
    if (counted) {
      request().client().pointReads().ends();
    }
  }

  private static boolean isPoint(Plan.Queue plan) {
    return plan.priorityClass() == PriorityClass.POINT;
  }

  @Override
  public Ring ring() {
    return context().ring(statement());
  }

  @Override
  public List<NodeId> replicas() {
    return plan.replicas();
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    return queued(read, nodes);
  }

  QueuedRead queued(ReplicaRead of, List<NodeId> nodes) {
    return new QueuedRead(of, query, 0, nodes, query.rows());
  }

  @Override
  protected long sentNanos(long now) {
    return firstGranted == null ? now : firstGranted.sentNanos(now);
  }

  @Override
  public boolean isWanted() {
    if (!isOver() && !request().replyTo().isOpen()) {
      fail(new Failure.Unknown("The client is gone"));
      letFinish();
    }
    return !isOver();
  }

  /** Bounds the requests in flight, because the deadline of this exchange is over with it. */
  private void letFinish() {
    read.letFinish(allowedNanos());
    if (hedge != null) {
      hedge.letFinish();
    }
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
   * Returns the client's own frame for the first request, and a copy for later ones. The hint of a
   * whole range read has no width: the node finds out itself how many replicas the read needs.
   */
  @Override
  public Frame frame(Node node, QueuedRead granted) {
    Frame frame = sent ? anotherFrame() : request().frame().share();
    sent = true;
    firstGranted = firstGranted == null ? granted : firstGranted;
    inFlight = granted;
    startLateTimer(granted);
    return isRange() ? context().hinted(frame, node.id(), hint(plan)) : frame;
  }

  Frame anotherFrame() {
    return request().frame().copy();
  }

  /** Starts the timer that reports a late answer of the node. */
  private void startLateTimer(QueuedRead granted) {
    SchedulingConfig config = context().config().scheduling();
    if (config.hedges() && hedge == null && isHedgeable()) {
      context().hedges().of(lane()).sent(read, granted.lateNanos(), config.hedgeShare());
    }
  }

  /**
   * Whether a second replica may run the same read: a point read without Paxos and tracing that
   * does not wait behind all other reads of its tenant.
   */
  private boolean isHedgeable() {
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

  long allowedNanos() {
    return context().readTimeoutNanos(statement(), plan.priorityClass());
  }

  boolean isFirstUnderWay() {
    return !firstFailed;
  }

  private boolean isHedged() {
    return hedge != null && hedge.isUnderWay();
  }

  /** Answers the client with the answer to the second request. */
  void onHedgeAnswered(Frame answer) {
    QueuedRead waits = inFlight;
    if (waits != null && read.isSent()) {
      traced(waits, null);
    }
    answer(answer);
    read.letFinish(allowedNanos());
  }

  /** Fails the read if the first request has failed too. */
  void onHedgeFailed(Failure failure) {
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

  /** Returns the hint for an agent. */
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
    // This exchange holds no resources for an attempt.
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
      hedge.onFirstAnswered();
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
