package io.sluice.exchange.range;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.Piece;
import io.sluice.decide.plan.ResultRows;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.predict.TableDensity;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.share.ShareRule;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.merge.Answered;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.Step;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.time.Lane;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import io.sluice.wire.ReadTemplate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a range read under way: pieces go out in waves, their answers become the page. Used
 * on its client's lane only.
 */
final class ScatterRead {

  /** The deadline of a read without LIMIT and page: it ends when it ends. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  /** Rows that a part of a read without page is asked for at a time. */
  private static final int ROWS_AT_A_TIME = 5000;

  /** Work that a piece may do for others whatever its own size. */
  private static final double CARRIED_MICROS = 5_000;

  /** Rows that a read without limit is thought to return from a table that nobody knows. */
  private static final int UNKNOWN_ROWS = 10_000;

  private final ProxyContext context;
  private final RangeContext split;
  private final RangePage page;
  private final Scatter plan;
  private final TableDensity density;
  private final PageOutcome outcome;
  private final Frame request;
  private final ReadTemplate template;
  private final Merger merger;
  private final Query query;
  private final double expectedRows;
  private final PageMemory memory;

  /** All pieces by their number. */
  private final List<PieceRead> pieces = new ArrayList<>();

  private Wave wave = new Wave(SubRequest.ALL);
  private int waves;
  private @Nullable Token behind;
  private boolean allNamed;
  private double estimated;

  /** Rows that nodes have read, by estimate, of pieces that are done. */
  private double readRows;

  private long returned;
  private boolean stepping;
  private boolean stepAgain;
  private boolean over;

  ScatterRead(
      ProxyContext context,
      RangeContext split,
      RangePage page,
      Scatter plan,
      TableDensity density,
      PageOutcome outcome) {
    this.context = context;
    this.split = split;
    this.page = page;
    this.plan = plan;
    this.density = density;
    this.memory = new PageMemory(split.budget(), density.bytesPerRow());
    this.outcome = outcome;
    this.template = ReadTemplate.of(page.frame());
    this.merger =
        new Merger(
            page.mergeOrder(plan, split.config().maxBufferedBytes() / 4),
            PooledByteBufAllocator.DEFAULT);
    this.expectedRows = expected(plan.range(), plan.wanted());
    this.query = context.scheduler().query(page.facts(plan, expectedRows, deadline()));
    this.request = page.frame().share();
  }

  private long deadline() {
    return plan.wanted() == SubRequest.ALL
        ? NEVER
        : context.clock().nanoTime() + context.readTimeoutNanos(PriorityClass.RANGE);
  }

  /** Sends the first wave. */
  void start() {
    send(plan.wave(), plan.wanted());
    proceed();
  }

  private void send(List<SubRequest> requests, int wanted) {
    waves++;
    wave = new Wave(wanted);
    name(requests);
  }

  /** Names further pieces behind those of the wave, and asks them. */
  private void name(List<SubRequest> requests) {
    List<PieceRead> named = new ArrayList<>(requests.size());
    List<TokenRange> ranges = new ArrayList<>(requests.size());
    for (SubRequest each : requests) {
      ByteBuffer inner = pieces.isEmpty() && page.from() != null ? page.from().inner() : null;
      PieceRead piece = new PieceRead(this, pieces.size(), each, inner);
      pieces.add(piece);
      named.add(piece);
      ranges.add(each.piece().range());
    }
    wave.add(named);
    behind = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1).upTo();
    allNamed = behind == null || rest().isEmpty();
    merger.expect(ranges, allNamed);
    named.forEach(PieceRead::submit);
  }

  /** A read of all there is does not wait for its slowest piece before it asks further ones. */
  private void topUp() {
    int most = split.config().maxSubRequests();
    if (over || allNamed || plan.wanted() != SubRequest.ALL || wave.openPieces() > most / 2) {
      return;
    }
    wave.removeEnded();
    List<SubRequest> more = next(SubRequest.ALL);
    name(more.subList(0, Math.min(more.size(), most - wave.size())));
  }

  private List<SubRequest> next(int wanted) {
    ScatterPlanner.Seen seen = new ScatterPlanner.Seen(wave.size(), estimated, returned);
    return split.planner().next(plan, behind, wanted, seen, split.known(context, density));
  }

  private TokenRange rest() {
    return plan.range().intersect(new TokenRange(behind, null));
  }

  /** Does what the merger says, until it waits. A piece may be answered while it is being asked. */
  private void proceed() {
    if (stepping) {
      stepAgain = true;
      return;
    }
    stepping = true;
    do {
      stepAgain = false;
      boolean more = !over;
      while (more) {
        more = follow(merger.next()) && !over;
      }
    } while (stepAgain && !over);
    stepping = false;
  }

  /** Whether there may be something else to do at once. */
  private boolean follow(Step step) {
    if (step instanceof Step.Ask ask) {
      pieces.get(ask.piece()).ask(ask.inner(), ask.rows());
    } else if (step instanceof Step.SendMore more) {
      sendMore(more.rows());
    } else if (step instanceof Step.Cancel) {
      pieces.forEach(PieceRead::cancel);
    } else if (step instanceof Step.Page ready) {
      give(ready.frame(), ready.rows());
    } else if (step instanceof Step.Failed failed) {
      give(failed);
    } else {
      return false;
    }
    return true;
  }

  private void sendMore(int missing) {
    int wanted = missing < 0 ? SubRequest.ALL : missing;
    send(next(wanted), wanted);
  }

  private void give(Frame frame, int rows) {
    split.meters().page(waves, memory.rows(), rows);
    close();
    outcome.page(frame);
  }

  private void give(Step.Failed failed) {
    close();
    if (failed.reason() == Step.Reason.SCHEMA_CHANGED) {
      outcome.schemaChanged(failed.message());
    } else {
      outcome.failed(new Failure.Internal(failed.message()));
    }
  }

  /** A piece's answer, with rows; takes the frame over. */
  void answered(PieceRead piece, Frame frame) {
    if (over || piece.isCancelled()) {
      frame.release();
      return;
    }
    Answered what = merger.offer(piece.number(), frame);
    if (what != null) {
      memory.came(what.rows(), what.bytes());
      piece.took(what);
      learn(piece, what);
      if (what.complete()) {
        estimated += piece.estimate();
        readRows += expectedRows(piece.request());
        returned += piece.rows();
      }
    }
    context.scheduler().remaining(query, rowsLeft(), Math.max(1, wave.openPieces()));
    holding();
    outcome.progressed();
    topUp();
    proceed();
    if (!over) {
      holding();
      wave.resumeParked();
    }
  }

  private void learn(PieceRead piece, Answered what) {
    if (!folds()) {
      piece.lesson().heard(what, piece.request().piece().range().upTo(), density, partitioner());
    }
  }

  /** Rows that the page will probably still take. */
  private double rowsLeft() {
    return Math.max(0, expectedRows - (rows().areThoseRead() ? memory.rows() : readRows));
  }

  /** What a node is told of the whole when it is asked for a piece. */
  RangeHint hint() {
    return new RangeHint(plan.wave().size(), Math.round(rowsLeft()));
  }

  /** Tells the budget what is held, and what is to come. */
  private void holding() {
    memory.holds(over ? 0 : merger.bufferedBytes() + wave.bytesToCome());
  }

  /** Whether so much may be asked for now; the piece that is next in order always may. */
  boolean mayHold(PieceRead piece, long bytes) {
    return memory.take(bytes, wave.isNext(piece));
  }

  /** The memory that so many rows of a piece will take, by the size of those that came. */
  long bytesOf(PieceRead piece, int rows) {
    double expected = folds() ? 1 : density.known() ? Math.min(rows, 1 + piece.estimate()) : rows;
    return (long) (expected * memory.rowBytes());
  }

  /** Rows that a node will probably read for a request, for its place in the queue. */
  double expectedRows(SubRequest sub) {
    return rows().areThoseRead() && density.known()
        ? Math.min(sub.rows(), sub.piece().rows())
        : expected(sub.piece().range(), sub.rows());
  }

  /** The same for a range, of which so many rows are wanted. */
  private double expected(TokenRange range, int wanted) {
    return density.known() ? density.read(range, wanted) : Math.min(wanted, UNKNOWN_ROWS);
  }

  /** Which rows it returns. */
  ResultRows.Kind rows() {
    return plan.split().rows().kind();
  }

  /** Whether its pieces may be read together with those of others. */
  boolean mayShare() {
    return split.config().shareScans()
        && split.budget().isRoomy()
        && density.known()
        && page.showsWhereRowsAre(plan)
        && !template.asksForMoreThanRows();
  }

  /** Whom else a piece is read with. */
  ShareRule shareRule() {
    return new ShareRule(density, memory.mostRows(), query.rowsIn(CARRIED_MICROS));
  }

  private boolean folds() {
    return plan.merge() instanceof MergeRule.Fold;
  }

  /**
   * Rows that a piece is to be asked for first, when its turn has come; 0 when none are missing.
   */
  int firstRows(PieceRead piece) {
    return pageSize(wave.missingFor(piece));
  }

  /**
   * The page size for so many rows: fewer where they would be too much for one answer. A part of an
   * aggregate is read page by page, too, though little of it comes.
   */
  int pageSize(int rows) {
    if (folds()) {
      int clients = page.statement().pageSize();
      return clients > 0 ? clients : ROWS_AT_A_TIME;
    }
    int all = rows == SubRequest.ALL || rows < 0 ? ROWS_AT_A_TIME : rows;
    return Math.min(all, memory.mostRows());
  }

  /**
   * Cuts a piece in two, of which nothing has come, and asks both.
   *
   * @return false when that is not possible
   */
  boolean cut(PieceRead piece) {
    Piece whole = piece.request().piece();
    Token middle = whole.range().lastOf(1, 2, plan.minimum());
    TokenRange first = new TokenRange(whole.range().after(), middle);
    TokenRange second = new TokenRange(middle, whole.range().upTo());
    if (middle == null || first.isEmpty() || second.isEmpty()) {
      return false;
    }
    int number = merger.split(piece.number(), middle);
    int rows = piece.request().rows();
    PieceRead other = new PieceRead(this, number, part(whole, second, rows), null);
    pieces.add(other);
    wave.addBehind(piece, other);
    other.submitForTheLastTime();
    piece.narrow(part(whole, first, rows));
    return true;
  }

  private static SubRequest part(Piece of, TokenRange range, int rows) {
    return new SubRequest(new Piece(range, of.replicas(), of.rows() / 2), rows);
  }

  /** A node's error that is the answer; takes the frame over. */
  void error(Frame frame) {
    if (over) {
      frame.release();
      return;
    }
    close();
    outcome.error(frame);
  }

  /** A node does not take what a piece says. */
  void misunderstood(Frame frame) {
    if (page.from() != null) {
      error(frame);
      return;
    }
    frame.release();
    if (!over) {
      close();
      outcome.mustGoWhole();
    }
  }

  void fail(Failure failure) {
    if (!over) {
      close();
      outcome.failed(failure);
    }
  }

  /** Gives everything up; the outcome is not told. */
  void close() {
    if (over) {
      return;
    }
    over = true;
    pieces.forEach(PieceRead::cancel);
    merger.close();
    holding();
    request.release();
  }

  /** Whether there is still anybody to read for; if not it ends here. */
  boolean isWanted() {
    if (!over && !outcome.isWanted()) {
      fail(new Failure.Unknown("The client is gone"));
    }
    return !over;
  }

  ProxyContext context() {
    return context;
  }

  RangeContext split() {
    return split;
  }

  RangePage page() {
    return page;
  }

  Scatter plan() {
    return plan;
  }

  Query query() {
    return query;
  }

  ReadTemplate template() {
    return template;
  }

  Partitioner partitioner() {
    return context.view().ring().partitioner();
  }

  Lane lane() {
    return page.client().lane();
  }
}
