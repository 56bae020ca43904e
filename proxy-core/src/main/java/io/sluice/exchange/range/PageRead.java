package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.ReadTrace.FirstSent;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.Merger.Answered;
import io.sluice.execute.merge.Merger.Step;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Buffers;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One page of a range read in flight. It executes the steps of the {@link Merger} with the pieces
 * that {@link PageProgress} chooses. Not safe for several threads: its client's lane.
 */
final class PageRead implements PieceListener {

  private final PageContext page;
  private final PageOutcome outcome;
  private final PageMemory memory;
  private final PageProgress progress;
  private final PieceSizing sizing;
  private final Merger merger;
  private final Frame request;
  private final FirstSent firstSent = new FirstSent();

  private final PagePieces pieces;

  /** The errors of pieces, by number, that the page has not reached. */
  private final Map<Integer, PieceError> errors = new HashMap<>();

  private Stepping stepping = Stepping.NO;
  private boolean over;

  /** Whether steps are executed, and whether an answer has arrived meanwhile. */
  private enum Stepping {
    NO,
    ONCE,
    AGAIN
  }

  /** Creates a page that {@link #start} starts. It holds the client's request until it ends. */
  PageRead(PageContext page, PageOutcome outcome) {
    this.page = page;
    this.outcome = outcome;
    this.memory = PageMemory.of(page);
    this.pieces = new PagePieces(page);
    this.progress =
        new PageProgress(page.goal(), page.split().config().maxSubRequests(), page::expectedRows);
    this.sizing = new PieceSizing(page, progress, memory);
    this.merger =
        new Merger(
            page.page().mergeOrder(page.plan(), page.split().config().maxBufferedBytes() / 4),
            Buffers.POOL);
    this.request = page.page().frame().share();
  }

  /** Sends the first wave. */
  void start() {
    ask(progress.send(page.plan().wanted(), page.plan().wave()));
    proceed();
  }

  /** Submits the pieces with these numbers. */
  private void ask(List<Integer> numbers) {
    List<TokenRange> ranges = new ArrayList<>(numbers.size());
    for (int number : numbers) {
      pieces.add(piece(number));
      ranges.add(progress.request(number).piece().range());
    }
    merger.expect(ranges, progress.coversRange());
    numbers.forEach(number -> pieces.piece(number).submit());
  }

  private PieceRead piece(int number) {
    ByteBuffer nodeState =
        number == 0 && page.page().from() != null ? page.page().from().nodeState() : null;
    return new PieceRead(page, progress, sizing, this, number, nodeState);
  }

  private void topUp() {
    int room = over ? 0 : progress.room();
    if (room > 0) {
      List<SubRequest> more = planNext(SubRequest.ALL);
      ask(progress.add(more.subList(0, Math.min(more.size(), room))));
    }
  }

  private List<SubRequest> planNext(int missing) {
    return page.split()
        .planner()
        .next(
            page.plan(),
            progress.behind(),
            missing,
            progress.seen(),
            page.split().known(page.context(), page.page().statement(), page.density()));
  }

  /**
   * Executes the merger's steps until it waits. An answer may arrive during a step. Then pieces may
   * use the memory that the steps have freed.
   */
  private void proceed() {
    if (stepping != Stepping.NO) {
      stepping = Stepping.AGAIN;
      return;
    }
    do {
      stepping = Stepping.ONCE;
      boolean more = !over;
      while (more) {
        more = execute(merger.next()) && !over;
      }
    } while (stepping == Stepping.AGAIN && !over);
    stepping = Stepping.NO;
    if (!over) {
      updateMemory();
      resumeParked();
    }
  }

  /** Executes a step. Returns whether another step may follow at once. */
  private boolean execute(Step step) {
    if (step instanceof Step.Ask ask) {
      pieces.piece(ask.piece()).ask(ask.nodeState(), ask.rows());
    } else if (step instanceof Step.SendMore more) {
      ask(progress.send(more.rows(), planNext(more.rows())));
    } else if (step instanceof Step.Cancel) {
      pieces.cancel();
    } else if (step instanceof Step.Page ready) {
      deliver(ready.frame(), ready.rows());
    } else if (step instanceof Step.PieceFailed piece) {
      deliver(Objects.requireNonNull(errors.remove(piece.number()), "its error"));
    } else if (step instanceof Step.Failed failed) {
      deliver(failed);
    } else {
      return false;
    }
    return true;
  }

  private void deliver(Frame frame, int rows) {
    page.split().meters().page(progress.waves(), memory.rows(), rows);
    long now = page.context().clock().nanoTime();
    pieces.merged(now);
    close();
    outcome.page(frame);
  }

  private void deliver(Step.Failed failed) {
    close();
    switch (failed.reason()) {
      case SCHEMA_CHANGED -> outcome.schemaChanged(failed.message());
      case LONG_DECIMALS -> outcome.mustGoWhole(Reason.LONG_DECIMALS);
      default -> outcome.failed(new Failure.Internal(failed.message()));
    }
  }

  @Override
  public void sent(long atNanos) {
    firstSent.sent(atNanos);
  }

  @Override
  public void answered(int number, Frame frame) {
    PieceRead piece = pieces.ifOpen(number);
    if (over || piece == null || piece.isCancelled()) {
      frame.release();
      return;
    }
    Answered what = merger.offer(number, frame);
    if (what != null) {
      memory.onAnswer(what.rows(), what.bytes());
      progress.returned(number, what.rows(), what.complete());
      piece.learn(what);
      if (what.complete()) {
        pieces.ended(number);
      }
    }
    page.context().scheduler().remaining(page.query(), progress.rowsLeft(), progress.readsLeft());
    updateMemory();
    outcome.progressed();
    topUp();
    proceed();
  }

  private void resumeParked() {
    long promised = 0;
    for (int each : progress.inOrder()) {
      PieceRead piece = pieces.ifOpen(each);
      promised += piece == null ? 0 : piece.resumeIfParked(promised);
    }
  }

  /** Accounts for the answers that are held, and for those that are expected. */
  private void updateMemory() {
    long toCome = 0;
    for (int each : progress.inOrder()) {
      PieceRead piece = pieces.ifOpen(each);
      toCome += piece == null ? 0 : piece.bytesToCome();
    }
    memory.hold(merger.bufferedBytes(), toCome);
  }

  /** Gives the piece time for another replica or its halves: the node has answered in time. */
  @Override
  public void timeoutAnswered() {
    outcome.progressed();
  }

  @Override
  public void halved(int number, AfterTimeout.AskHalves halves) {
    int second = merger.split(number, halves.middle());
    pieces.add(piece(second));
    pieces.piece(second).submit();
    pieces.piece(number).submitAgain();
  }

  /**
   * Keeps the error until the page needs rows of the piece. Cassandra reads range after range, and
   * answers a page that earlier ranges have filled. In either case the page ends before the pieces
   * behind this one, so these are cancelled.
   */
  @Override
  public void failed(int number, PieceError error) {
    if (over) {
      error.release();
    } else if (error.isFault()) {
      deliver(error);
    } else {
      errors.put(number, error);
      merger.failed(number).forEach(pieces::cancel);
      proceed();
    }
  }

  private void deliver(PieceError error) {
    close();
    error.deliver(outcome::error, outcome::failed);
  }

  @Override
  public void statementRefused(int number, Frame frame) {
    if (page.page().from() != null) {
      failed(number, new PieceError.OfNode(frame));
      return;
    }
    frame.release();
    if (!over) {
      close();
      outcome.mustGoWhole(Reason.REFUSED_BY_NODE);
    }
  }

  /** Cancels all pieces and frees the memory, without a call of the outcome. */
  void close() {
    if (over) {
      return;
    }
    over = true;
    pieces.cancel();
    errors.values().forEach(PieceError::release);
    merger.close();
    memory.release();
    request.release();
  }

  /**
   * Closes the page and frees the slots of its pieces, although nodes may still be at work. Closes
   * first, so that no freed slot starts another piece of the page.
   */
  void abandon() {
    if (!over) {
      close();
      pieces.abandon();
    }
  }

  /** Returns when the first piece was sent; {@code now} while it still waits. */
  long sentNanos(long now) {
    return firstSent.or(now);
  }

  /** Returns the progress of the page. */
  RequestFacts.Progress facts(int wanted) {
    return new RequestFacts.Progress(
        State.ofRead(pieces.anySent()),
        progress.ended(),
        pieces.added(),
        memory.rows(),
        wanted == SubRequest.ALL ? -1 : wanted,
        progress.shareLeft());
  }

  @Override
  public long leftNanos() {
    return outcome.leftNanos();
  }

  @Override
  public @Nullable ReadTrace trace() {
    return outcome.trace();
  }

  @Override
  public boolean isWanted() {
    if (!over && !outcome.isWanted()) {
      close();
      outcome.failed(new Failure.Unknown("The client is gone"));
    }
    return !over;
  }
}
