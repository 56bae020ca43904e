package io.sluice.decide.plan;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlan.WaveResult;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.plan.Splittable.Whole;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and how a range read is split among the owners of its range. Pure; safe for any
 * thread. A statement that is not understood goes to one node whole: a doubt costs time, never
 * rows.
 *
 * <p>{@link #splittable} decides once what depends only on the text; its result is worth caching
 * with the statement. A plan then reads bounds and limits, and cuts only the pieces that it sends.
 *
 * @param config how range reads are split
 */
public record ScatterPlanner(SplitConfig config) {

  private static final int FIRST_PROTOCOL_WITH_ROW_MARKS = 4;

  /** The size of the parts of a page that is not divided. */
  private static final double WHOLE_PAGES = Double.POSITIVE_INFINITY;

  /** Largest standard deviation of actual / estimated rows with which a page is divided. */
  private static final double MAX_DIVIDED_ERROR = 0.25;

  /** Largest LIMIT with which a read is not split. */
  static final int SMALL_LIMIT = 32;

  /**
   * One page to plan.
   *
   * @param asked the statement, its bound values, and its page size
   * @param protocol the native protocol's version
   * @param from where the previous page ended; null for the first page
   * @param reached the token of the last delivered row, which lies in the piece that {@code from}
   *     continues; null when unknown
   */
  public record Page(
      PlanRequest asked, int protocol, @Nullable ResumePoint from, @Nullable Token reached) {

    /** Creates a read's first page. */
    public static Page first(PlanRequest asked, int protocol) {
      return new Page(asked, protocol, null, null);
    }
  }

  /**
   * The knowledge about the cluster and the table.
   *
   * @param ring the owners of all token ranges
   * @param density the density of the statement's rows
   * @param sigma standard deviation of actual / estimated rows of a piece; 0 when unknown
   * @param idle the nodes that have time for a part of a page
   */
  public record ClusterKnowledge(Ring ring, Density density, double sigma, IdleNodes idle) {

    /** Creates the knowledge about a cluster in which no page is divided. */
    public ClusterKnowledge(Ring ring, Density density, double sigma) {
      this(ring, density, sigma, IdleNodes.NONE);
    }
  }

  /**
   * Decides whether a statement can be split.
   *
   * @param cql its text
   * @param statement {@code cql}, classified
   * @param table its table; null when unknown
   */
  public Splittable splittable(String cql, Classified statement, @Nullable Table table) {
    return StatementSplitter.split(cql, statement, table);
  }

  /**
   * Whether a read wants so few rows that its first node reads them in one unchanged request. This
   * needs no knowledge of the table.
   */
  public boolean isSmall(Splittable splittable, Page page) {
    if (page.from() != null
        || config.parallel() != SplitConfig.Parallel.WAVES
        || !(splittable instanceof SplitStatement split)
        || !split.rows().kind().areThoseRead()) {
      return false;
    }
    int limit = split.statement().limit(page.asked().values());
    int pageSize = page.asked().pageSize();
    return limit > 0 && limit <= SMALL_LIMIT && (pageSize <= 0 || limit <= pageSize);
  }

  /**
   * Plans one page of a statement. A read that was split stays split on its next pages, even if
   * splitting has been switched off, or an index been created, since. If it cannot be split any
   * more, its paging state is useless.
   */
  public ScatterPlan plan(Splittable splittable, Page page, ClusterKnowledge known) {
    if (!(splittable instanceof SplitStatement split)) {
      return (Whole) splittable;
    } else if (config.parallel() == SplitConfig.Parallel.OFF && page.from() == null) {
      return new Whole(Reason.SWITCHED_OFF);
    } else if (split.indexed() && page.from() == null) {
      return new Whole(Reason.INDEXED);
    }
    PlanRequest asked = page.asked();
    Ring.Replicas owners = known.ring().owners(split.statement().keyspace());
    if (owners == null && page.from() == null) {
      return new Whole(Reason.UNKNOWN_TABLE);
    } else if (limitInDoubt(split.statement(), asked.values())) {
      return new Whole(Reason.LIMIT_UNKNOWN);
    }
    Token minimum = known.ring().partitioner().minimum();
    if (asked.pageSize() > 0 && !resumable(split.merge(), page.protocol())) {
      return new Whole(Reason.NOT_RESUMABLE);
    }
    TokenBounds bounds = TokenBounds.of(split.statement(), split.tokens(), asked.values(), minimum);
    if (bounds.range() == null) {
      return new Whole(bounds.refusal() == null ? Reason.BOUND_UNKNOWN : bounds.refusal());
    }
    Cut cut = new Cut(split, owners, minimum, known, WHOLE_PAGES);
    return scatter(split, page, bounds.range(), cut);
  }

  /**
   * Explains a plan for people.
   *
   * @param plan the plan of the first page
   * @param unsplit the plan for the read if it is not split
   */
  public List<PlanLine> explain(ScatterPlan plan, Plan.Queue unsplit, ClusterKnowledge known) {
    Density density = known.density();
    if (plan instanceof Whole refused) {
      return Explanation.of(unsplit, refused, density.known() ? unsplit.rows() : Double.NaN);
    }
    Scatter scatter = (Scatter) plan;
    SplitStatement split = (SplitStatement) scatter.split();
    Ring.Replicas owners = known.ring().owners(split.statement().keyspace());
    Cut whole = new Cut(split, owners, scatter.minimum(), known, WHOLE_PAGES);
    Cut cut = divided(whole, scatter.wanted(), scatter.range().after());
    int pieces =
        owners == null ? scatter.wave().size() : cutter(cut, owners).count(scatter.range());
    return Explanation.of(scatter, density, pieces, config.maxSubRequests());
  }

  /**
   * What a cut needs.
   *
   * @param owners the owners of all token ranges; null when they are unknown, or of other data
   *     centres: any node can return the rows of any piece then
   * @param pieceRows rows of the parts into which the page is divided; {@link #WHOLE_PAGES} if it
   *     is not
   */
  private record Cut(
      SplitStatement split,
      Ring.@Nullable Replicas owners,
      Token minimum,
      ClusterKnowledge known,
      double pieceRows) {

    List<NodeId> replicas(@Nullable Token after) {
      return owners == null ? List.of() : owners.after(after);
    }

    /** Returns the cut of a page that is divided into parts of this many rows. */
    Cut into(double rows) {
      return new Cut(split, owners, minimum, known, rows);
    }
  }

  /**
   * Divides a page among the idle owners of the range at which it begins, if each gets enough rows.
   * Only the rows that a node reads tell its work, and with bad estimates some parts would be read
   * in vain.
   *
   * @param begin the token behind which the page begins; null for the beginning of the ring
   */
  private Cut divided(Cut cut, int wanted, @Nullable Token begin) {
    double sigma = cut.known().sigma();
    if (wanted == SubRequest.ALL
        || !followsEstimates(cut)
        || !cut.split().rows().kind().areThoseRead()
        || sigma == 0
        || sigma > MAX_DIVIDED_ERROR) {
      return cut;
    }
    IdleNodes nodes = cut.known().idle();
    int most = (int) (wanted / nodes.leastRows());
    int idle = most < 2 ? 0 : (int) cut.replicas(begin).stream().filter(nodes::isIdle).count();
    int parts = Math.min(most, idle);
    return parts < 2 ? cut : cut.into(wanted * (1 + SplitRule.margin(sigma, parts)) / parts);
  }

  /** Whether a page is cut by estimates of the rows, from where it begins. */
  private boolean followsEstimates(Cut cut) {
    return config.parallel() == SplitConfig.Parallel.WAVES
        && cut.owners() != null
        && cut.known().density().known();
  }

  private static boolean limitInDoubt(Classified statement, BoundValues values) {
    var select = statement.select();
    return select == null
        || (select.limits().rows() != null && statement.limit(values) < 0)
        || (select.limits().perPartition() != null && statement.perPartitionLimit(values) < 0);
  }

  private ScatterPlan scatter(SplitStatement split, Page page, TokenRange range, Cut cut) {
    boolean fold = split.merge() instanceof MergeRule.Fold;
    ResumePoint from = page.from();
    int pageSize = page.asked().pageSize();
    int limit = split.statement().limit(page.asked().values());
    int rowsLeft = fold ? -1 : from == null ? limit : from.rowsLeft();
    int rows = fold || pageSize <= 0 ? SubRequest.ALL : pageSize;
    int wanted = rowsLeft < 0 ? rows : Math.min(rows, rowsLeft);
    TokenRange rest = range.intersect(new TokenRange(from == null ? null : from.after(), null));

    List<Piece> pieces = pieces(page, rest, divided(cut, wanted, begin(page, rest)));
    ClusterKnowledge known = cut.known();
    List<SubRequest> wave =
        new SplitRule(config)
            .wave(pieces, wanted, known.density().known(), known.sigma(), WaveResult.NOTHING);
    return new Scatter(
        split,
        rest,
        cut.minimum(),
        wanted,
        rowsLeft,
        split.statement().perPartitionLimit(page.asked().values()),
        wave);
  }

  /** Whether a page can end after any row of an answer; an aggregate has one page. */
  private static boolean resumable(MergeRule merge, int protocol) {
    return merge instanceof MergeRule.Fold
        || (protocol >= FIRST_PROTOCOL_WITH_ROW_MARKS
            && merge instanceof MergeRule.Concatenate rows
            && rows.rowKey() != null);
  }

  /** Returns the token behind which the first row of a page is; null for the beginning. */
  private static @Nullable Token begin(Page page, TokenRange rest) {
    boolean inside = page.from() != null && page.from().piece() != null && page.reached() != null;
    return inside ? page.reached() : rest.after();
  }

  /** Cuts the rest of the range. */
  private List<Piece> pieces(Page page, TokenRange rest, Cut cut) {
    TokenRange begun = page.from() == null ? null : page.from().piece();
    if (begun == null && rest.isEmpty()) {
      // The previous page ended with the last row; a node must still return the columns.
      return List.of(new Piece(rest, cut.replicas(rest.after()), 0));
    } else if (begun == null) {
      return cut(rest, cut, config.maxSubRequests());
    }
    TokenRange ahead = rest.intersect(new TokenRange(page.reached(), null));
    boolean anew = page.reached() != null && !ahead.isEmpty() && followsEstimates(cut);
    return anew ? afresh(begun, ahead, cut) : continued(page, begun, rest, cut);
  }

  /**
   * Cuts a page that begins inside a piece as if a piece began there, so that a page does not need
   * two requests only because a piece ends in it. The node's paging state contains a key. It fits
   * every range that contains that key, so the first piece keeps its beginning.
   */
  private List<Piece> afresh(TokenRange begun, TokenRange ahead, Cut cut) {
    List<Piece> pieces = new ArrayList<>(cut(ahead, cut, config.maxSubRequests()));
    Piece first = pieces.get(0);
    TokenRange longer = new TokenRange(begun.after(), first.range().upTo());
    pieces.set(0, new Piece(longer, first.replicas(), first.rows()));
    return pieces;
  }

  /** Continues a piece to its end, and cuts what is behind it. */
  private List<Piece> continued(Page page, TokenRange begun, TokenRange rest, Cut cut) {
    TokenRange left = begun.intersect(rest).intersect(new TokenRange(page.reached(), null));
    double rows = cut.known().density().rows(left);
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece(begun, cut.replicas(begun.after()), rows));
    if (begun.upTo() != null) {
      TokenRange behind = rest.intersect(new TokenRange(begun.upTo(), null));
      pieces.addAll(cut(behind, cut, config.maxSubRequests() - 1));
    }
    return pieces;
  }

  private List<Piece> cut(TokenRange range, Cut cut, int most) {
    return cut.owners() == null
        ? List.of(new Piece(range, List.of(), 0))
        : cutter(cut, cut.owners()).cut(range, most);
  }

  private RangeCutter cutter(Cut cut, Ring.Replicas owners) {
    return new RangeCutter(
        owners,
        cut.minimum(),
        cut.known().density(),
        config.targetPartitions(),
        maySpanOwners(cut) ? config.minRows() : 0,
        cut.pieceRows());
  }

  /**
   * Whether pieces may span owners. With a filter or an aggregate, a read of an unknown table may
   * read any amount.
   */
  private boolean maySpanOwners(Cut cut) {
    return config.parallel() == SplitConfig.Parallel.WAVES
        && (cut.known().density().known() || cut.split().rows().kind().areThoseRead());
  }

  /**
   * Plans one piece of a read that another proxy has planned.
   *
   * @return null if this proxy cannot split the statement
   */
  public static @Nullable Scatter only(
      Splittable splittable, PlanRequest asked, SubRequest piece, Token minimum) {
    if (!(splittable instanceof SplitStatement split)
        || limitInDoubt(split.statement(), asked.values())) {
      return null;
    }
    int perPartition = split.statement().perPartitionLimit(asked.values());
    TokenRange range = piece.piece().range();
    return new Scatter(split, range, minimum, piece.rows(), -1, perPartition, List.of(piece));
  }

  /**
   * Returns the next wave of a plan.
   *
   * @param plan the plan
   * @param behind the end of the last piece that was sent; null ends the read
   * @param missing rows still wanted, more than 0; {@link Scatter#wanted} minus the returned rows,
   *     or {@link SubRequest#ALL}
   * @param seen the result of the earlier waves
   * @return empty if the whole range has been asked for
   */
  public List<SubRequest> next(
      Scatter plan, @Nullable Token behind, int missing, WaveResult seen, ClusterKnowledge known) {
    TokenRange rest = plan.range().intersect(new TokenRange(behind, null));
    if (behind == null || rest.isEmpty()) {
      return List.of();
    }
    SplitStatement split = (SplitStatement) plan.split();
    Ring.Replicas owners = known.ring().owners(split.statement().keyspace());
    List<Piece> pieces =
        cut(
            rest,
            new Cut(split, owners, plan.minimum(), known, WHOLE_PAGES),
            config.maxSubRequests());
    return new SplitRule(config)
        .wave(pieces, missing, known.density().known(), known.sigma(), seen);
  }
}
