package io.sluice.decide.plan;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.plan.Splittable.Whole;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says whether and how a range read is split among the owners of its range. Pure; safe for any
 * thread. What is not understood goes to one node whole: a doubt costs time, never rows.
 *
 * <p>What depends on the text alone is found out once, by {@link #splittable}, and is worth caching
 * with the statement. A plan then reads bounds and limits, and cuts as many pieces as it sends.
 *
 * @param config how range reads are split
 */
public record ScatterPlanner(SplitConfig config) {

  private static final int FIRST_PROTOCOL_WITH_ROW_MARKS = 4;

  /** Rows of a LIMIT up to which a read is not split. */
  static final int SMALL_LIMIT = 32;

  /**
   * What is asked.
   *
   * @param asked the statement, what is bound to it, and its page size
   * @param protocol the native protocol's version
   * @param from where the page before ended; null for the first
   * @param reached the token of the last row that was delivered, which lies in the piece that
   *     {@code from} goes on with; null when it is not known
   */
  public record Page(
      Asked asked, int protocol, @Nullable ResumePoint from, @Nullable Token reached) {

    /** A read's first page. */
    public static Page first(Asked asked, int protocol) {
      return new Page(asked, protocol, null, null);
    }
  }

  /**
   * What is known of the cluster and the table.
   *
   * @param ring the owners of all token ranges
   * @param density how much there is
   * @param sigma standard deviation of actual / estimated rows of a piece; 0 when not known
   */
  public record Known(Ring ring, Density density, double sigma) {}

  /**
   * Whether a statement can be split.
   *
   * @param cql its text
   * @param statement what was made of {@code cql}
   * @param table its table; null when it is not known
   */
  public Splittable splittable(String cql, Classified statement, @Nullable Table table) {
    return StatementSplitter.split(cql, statement, table);
  }

  /**
   * Whether a read wants so few rows that the node where it begins reads them in one request, as it
   * came. Nothing need be known of its table for that.
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
   * The plan for one page of a statement. A read that was split stays so on its next pages, even
   * when splitting has been switched off; if it cannot be, its paging state means nothing any more.
   */
  public ScatterPlan plan(Splittable splittable, Page page, Known known) {
    if (!(splittable instanceof SplitStatement split)) {
      return (Whole) splittable;
    } else if (config.parallel() == SplitConfig.Parallel.OFF && page.from() == null) {
      return new Whole(Reason.SWITCHED_OFF);
    }
    Asked asked = page.asked();
    Ring.Replicas owners = known.ring().owners(split.statement().keyspace());
    if (owners == null) {
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
    return scatter(split, page, bounds.range(), new Cut(split, owners, minimum, known));
  }

  /**
   * A plan for people.
   *
   * @param plan the plan of the first page
   * @param whole what is done with the read if it is not split
   */
  public List<PlanLine> explain(ScatterPlan plan, Plan.Queue whole, Known known) {
    Density density = known.density();
    if (plan instanceof Whole refused) {
      return Explanation.of(whole, refused, density.known() ? whole.rows() : Double.NaN);
    }
    Scatter scatter = (Scatter) plan;
    SplitStatement split = (SplitStatement) scatter.split();
    Ring.Replicas owners = known.ring().owners(split.statement().keyspace());
    int pieces =
        owners == null
            ? scatter.wave().size()
            : cutter(new Cut(split, owners, scatter.minimum(), known)).count(scatter.range());
    return Explanation.of(scatter, density, pieces, config.maxSubRequests());
  }

  private record Cut(SplitStatement split, Ring.Replicas owners, Token minimum, Known known) {}

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

    List<Piece> pieces = pieces(page, rest, cut);
    Known known = cut.known();
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

  /** Whether a page can end behind any row of an answer; an aggregate has one page. */
  private static boolean resumable(MergeRule merge, int protocol) {
    return merge instanceof MergeRule.Fold
        || (protocol >= FIRST_PROTOCOL_WITH_ROW_MARKS
            && merge instanceof MergeRule.Concatenate rows
            && rows.rowKey() != null);
  }

  /** A piece that a node had begun stays as it was, since the node's paging state fits no other. */
  private List<Piece> pieces(Page page, TokenRange rest, Cut cut) {
    ResumePoint from = page.from();
    TokenRange begun = from == null ? null : from.piece();
    if (begun == null && rest.isEmpty()) {
      // A page that ended with the last row: a node still has to say what the columns are.
      return List.of(new Piece(rest, cut.owners().after(rest.after()), 0));
    } else if (begun == null) {
      return cutter(cut).cut(rest, config.maxSubRequests());
    }
    TokenRange left = begun.intersect(rest).intersect(new TokenRange(page.reached(), null));
    double rows = cut.known().density().rows(left);
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece(begun, cut.owners().after(begun.after()), rows));
    if (begun.upTo() != null) {
      TokenRange behind = rest.intersect(new TokenRange(begun.upTo(), null));
      pieces.addAll(cutter(cut).cut(behind, config.maxSubRequests() - 1));
    }
    return pieces;
  }

  private RangeCutter cutter(Cut cut) {
    return new RangeCutter(
        cut.owners(),
        cut.minimum(),
        cut.known().density(),
        config.targetPartitions(),
        maySpanOwners(cut) ? config.minRows() : 0);
  }

  /** A filter or an aggregate may read any amount of a table of which nothing is known. */
  private boolean maySpanOwners(Cut cut) {
    return config.parallel() == SplitConfig.Parallel.WAVES
        && (cut.known().density().known() || cut.split().rows().kind().areThoseRead());
  }

  /**
   * The plan for one piece of a read that another proxy has planned.
   *
   * @return null when this one cannot split the statement
   */
  public static @Nullable Scatter only(
      Splittable splittable, Asked asked, SubRequest piece, Token minimum) {
    if (!(splittable instanceof SplitStatement split)
        || limitInDoubt(split.statement(), asked.values())) {
      return null;
    }
    int perPartition = split.statement().perPartitionLimit(asked.values());
    TokenRange range = piece.piece().range();
    return new Scatter(split, range, minimum, piece.rows(), -1, perPartition, List.of(piece));
  }

  /**
   * The next wave of a plan.
   *
   * @param plan the plan
   * @param behind the end of the last piece that was sent; null ends the read
   * @param missing rows still wanted, more than 0; {@link Scatter#wanted} less what has come, or
   *     {@link SubRequest#ALL}
   * @param seen what the waves before returned
   * @return empty when the whole range has been asked
   */
  public List<SubRequest> next(
      Scatter plan, @Nullable Token behind, int missing, WaveResult seen, Known known) {
    TokenRange rest = plan.range().intersect(new TokenRange(behind, null));
    if (behind == null || rest.isEmpty()) {
      return List.of();
    }
    SplitStatement split = (SplitStatement) plan.split();
    Ring.Replicas owners = known.ring().owners(split.statement().keyspace());
    // Any node can answer for any piece, should the owners not be known any more.
    List<Piece> pieces =
        owners == null
            ? List.of(new Piece(rest, List.of(), 0))
            : cutter(new Cut(split, owners, plan.minimum(), known))
                .cut(rest, config.maxSubRequests());
    return new SplitRule(config)
        .wave(pieces, missing, known.density().known(), known.sigma(), seen);
  }
}
