package io.sluice.exchange.range;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResultRows;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.progress.PageProgress.PageGoal;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.exchange.ProxyContext;
import io.sluice.fleet.HomeChoice;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.TokenRange;
import io.sluice.statement.Statement;
import io.sluice.time.Lane;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.ProtocolVersion;
import io.sluice.wire.ReadTemplate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data and collaborators that all pieces of a page share.
 *
 * @param context the collaborators of all requests
 * @param split the collaborators of split range reads
 * @param page the page that the client asks for
 * @param plan the first wave of pieces, and the rule by which answers are merged
 * @param density the distribution of the rows over the ring
 * @param template the client's request, from which the requests for pieces are made
 * @param query the page's place in the queues
 * @param only the node that gets all pieces; null to send each piece to its replicas
 */
record PageContext(
    ProxyContext context,
    RangeContext split,
    RangePage page,
    Scatter plan,
    TableDensity density,
    ReadTemplate template,
    Query query,
    @Nullable NodeId only) {

  /** Most rows that are expected of a read without LIMIT while its table's density is unknown. */
  private static final int UNKNOWN_ROWS = 10_000;

  /** Creates the context of a page, with a new place in the order of all reads. */
  static PageContext of(
      ProxyContext context,
      RangeContext split,
      RangePage page,
      Scatter plan,
      TableDensity density,
      @Nullable NodeId only) {
    double rows = expected(density, plan.range(), plan.wanted());
    Statement statement = page.statement();
    long deadline =
        plan.wanted() == SubRequest.ALL && !statement.hasTimeout()
            ? QueryFacts.NO_DEADLINE
            : page.arrivalNanos() + statement.timeoutNanos(context.rangeTimeoutNanos());
    return new PageContext(
        context,
        split,
        page,
        plan,
        density,
        ReadTemplate.of(page.frame()),
        context.scheduler().query(page.facts(plan, rows, deadline)),
        only);
  }

  /** Creates the context of a guest, with the place that the other proxy sends. */
  static PageContext ofGuest(
      ProxyContext context,
      RangeContext split,
      RangePage page,
      Scatter plan,
      TableDensity density,
      ForwardedPiece piece) {
    long now = context.clock().nanoTime();
    ForwardedPiece.Place place = piece.place();
    QueryFacts facts = page.facts(plan, place.rowsLeft(), now + place.leftNanos());
    Share share = new Share(place.tenant(), place.weight(), place.last());
    return new PageContext(
        context,
        split,
        page,
        plan,
        density,
        ReadTemplate.of(page.frame()),
        context.scheduler().query(facts.with(share, place.readsLeft()), now - place.agedNanos()),
        null);
  }

  /** Estimates the rows that nodes read for {@code wanted} rows of a range. */
  private static double expected(TableDensity density, TokenRange range, int wanted) {
    return density.known()
        ? density.read(range, wanted)
        : density.expected(range, Math.min(wanted, UNKNOWN_ROWS));
  }

  /** Estimates the rows that a node reads for a sub-request, for its place in the queue. */
  double expectedRows(SubRequest sub) {
    return rows().areThoseRead() && density.known()
        ? Math.min(sub.rows(), sub.piece().rows())
        : expected(density, sub.piece().range(), sub.rows());
  }

  /** Returns the age by which a piece that is sent to its home proxy now is ordered there, ns. */
  long agedNanos() {
    return query.hasDeadline() ? Math.max(0, context.clock().nanoTime() - query.arrivalNanos()) : 0;
  }

  /**
   * Returns how long a node may be at work on a piece. Before that, another request would let one
   * piece take two slots, and a shorter time of an operator says nothing about the node.
   */
  long nodeTimeoutNanos() {
    return context.nodeTimeoutNanos(page.statement(), PriorityClass.RANGE);
  }

  /** Returns the rows that the page needs. */
  PageGoal goal() {
    return new PageGoal(
        plan.range(),
        plan.minimum(),
        plan.wanted(),
        expected(density, plan.range(), plan.wanted()),
        rows().areThoseRead(),
        page.from() != null && page.from().nodeState() != null);
  }

  /** Returns the kind of rows that the statement returns. */
  ResultRows.Kind rows() {
    return plan.split().rows().kind();
  }

  /** Whether each piece returns one row of an aggregate. */
  boolean folds() {
    return plan.merge() instanceof MergeRule.Fold;
  }

  /** Returns the requests for the pieces of this page. */
  PieceRequests requests() {
    return new PieceRequests(this);
  }

  /** Returns the nodes that can serve a piece. */
  List<NodeId> nodes(Piece piece) {
    return only == null ? piece.replicas() : List.of(only);
  }

  /**
   * Returns the proxy at which a piece waits. A read that asks for more than rows waits here: a
   * custom payload, or the trace of a later page. So does a read from another data centre, which
   * its home proxy would not fail over there.
   *
   * @param withinNanos the time that a home has for the piece
   */
  HomeChoice home(Piece piece, long withinNanos) {
    PieceHomes homes = split.homes();
    List<NodeId> nodes = nodes(piece);
    if (homes == null
        || only != null
        || page.statement().datacenter() != null
        || page.client().version() < ProtocolVersion.CUSTOM_PAYLOAD
        || template.asksForMoreThanRows()) {
      return new HomeChoice.Here(nodes);
    }
    return homes.choice(context, nodes, withinNanos);
  }

  /** Whether pieces of this page may join shared scans now. */
  boolean mayShare() {
    return only == null
        && split.config().shareScans()
        && split.budget().isRoomy()
        && density.known()
        && page.rowsShowPositions(plan)
        && !template.asksForMoreThanRows();
  }

  Partitioner partitioner() {
    return context.view().ring().partitioner();
  }

  /** Returns the client's lane. */
  Lane lane() {
    return page.client().lane();
  }
}
