package io.sluice.exchange.range;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.Piece;
import io.sluice.decide.plan.ResultRows;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.progress.PageGoal;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.exchange.ProxyContext;
import io.sluice.fleet.HomeChoice;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.TokenRange;
import io.sluice.time.Lane;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.ReadTemplate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts that all pieces of a page share.
 *
 * @param context the collaborators of all requests
 * @param split those of range reads that are split
 * @param page the page that the client asks for
 * @param plan the pieces that go out first, and how answers become one
 * @param density the distribution of the rows over the ring
 * @param template the client's request, of which those for pieces are made
 * @param query the place in the queues
 * @param only the node that all pieces are asked of; null: each is asked of its replicas
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

  /** The deadline of a read without LIMIT and page, which may take any time. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  /** Rows that are expected of a read without limit while nothing is known of its table. */
  private static final int UNKNOWN_ROWS = 10_000;

  /** Takes a place for the page in the order of all reads. */
  static PageContext of(
      ProxyContext context,
      RangeContext split,
      RangePage page,
      Scatter plan,
      TableDensity density,
      @Nullable NodeId only) {
    double rows = expected(density, plan.range(), plan.wanted());
    long deadline =
        plan.wanted() == SubRequest.ALL
            ? NEVER
            : context.clock().nanoTime() + context.rangeTimeoutNanos();
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

  /** Takes the place that another proxy tells for a piece of its own. */
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
    return new PageContext(
        context,
        split,
        page,
        plan,
        density,
        ReadTemplate.of(page.frame()),
        context
            .scheduler()
            .query(
                new QueryFacts(
                    facts.priorityClass(),
                    facts.table(),
                    place.tenant(),
                    facts.deadlineNanos(),
                    facts.rows(),
                    facts.limit(),
                    place.readsLeft(),
                    place.weight(),
                    place.last(),
                    0,
                    0),
                now - place.agedNanos()),
        null);
  }

  /** Rows that nodes will probably read for {@code wanted} rows of a range. */
  private static double expected(TableDensity density, TokenRange range, int wanted) {
    return density.known() ? density.read(range, wanted) : Math.min(wanted, UNKNOWN_ROWS);
  }

  /** Rows that a node will probably read for a sub-request, for its place in the queue. */
  double expectedRows(SubRequest sub) {
    return rows().areThoseRead() && density.known()
        ? Math.min(sub.rows(), sub.piece().rows())
        : expected(density, sub.piece().range(), sub.rows());
  }

  /** The rows that the page wants. */
  PageGoal goal() {
    return new PageGoal(
        plan.range(),
        plan.minimum(),
        plan.wanted(),
        expected(density, plan.range(), plan.wanted()),
        rows().areThoseRead(),
        page.from() != null && page.from().inner() != null);
  }

  /** The rows that the statement returns. */
  ResultRows.Kind rows() {
    return plan.split().rows().kind();
  }

  /** Whether each piece returns one row of an aggregate. */
  boolean folds() {
    return plan.merge() instanceof MergeRule.Fold;
  }

  /** The nodes that may be asked for a piece. */
  List<NodeId> nodes(Piece piece) {
    return only == null ? piece.replicas() : List.of(only);
  }

  /**
   * The proxy at which a piece waits. Here does one that is told about more than its rows: only its
   * client's own request is.
   */
  HomeChoice home(Piece piece) {
    PieceHomes homes = split.homes();
    List<NodeId> nodes = nodes(piece);
    if (homes == null
        || only != null
        || page.client().version() < ForwardedPiece.FIRST_VERSION
        || template.asksForMoreThanRows()) {
      return new HomeChoice.Here(nodes);
    }
    return homes.choice(context, nodes);
  }

  /** How long an answer to a piece that is asked now is of use, unless others come before it. */
  long leftNanos() {
    long left = query.deadlineNanos() - context.clock().nanoTime();
    return Math.min(left, context.rangeTimeoutNanos());
  }

  /** Whether pieces may now be read together with those of other reads. */
  boolean mayShare() {
    return only == null
        && split.config().shareScans()
        && split.budget().isRoomy()
        && density.known()
        && page.showsWhereRowsAre(plan)
        && !template.asksForMoreThanRows();
  }

  Partitioner partitioner() {
    return context.view().ring().partitioner();
  }

  /** The client's lane. */
  Lane lane() {
    return page.client().lane();
  }
}
