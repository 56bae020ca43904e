package io.sluice.exchange.range;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.AfterTimeout;
import io.sluice.decide.progress.PageProgress;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.RequestFacts;
import io.sluice.execute.merge.Answered;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.Step;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a range read under way. It does what {@link Merger} says, with the pieces that {@link
 * PageProgress} names. Not safe for several threads: its client's lane.
 */
final class PageRead implements PieceListener {

  private final PageContext page;
  private final PageOutcome outcome;
  private final PageMemory memory;
  private final PageProgress progress;
  private final PieceSizing sizing;
  private final Merger merger;
  private final Frame request;

  /** All pieces by their number. */
  private final List<PieceRead> pieces = new ArrayList<>();

  private boolean stepping;
  private boolean stepAgain;
  private boolean over;
  private long buffered;

  /** Nothing is asked yet. Holds the page's request until it ends. */
  PageRead(PageContext page, PageOutcome outcome) {
    this.page = page;
    this.outcome = outcome;
    this.memory =
        new PageMemory(
            page.split().budget(), page.density().bytesPerRow(), page.density().largeRowBytes());
    this.progress =
        new PageProgress(page.goal(), page.split().config().maxSubRequests(), page::expectedRows);
    this.sizing = new PieceSizing(page, progress, memory);
    this.merger =
        new Merger(
            page.page().mergeOrder(page.plan(), page.split().config().maxBufferedBytes() / 4),
            PooledByteBufAllocator.DEFAULT);
    this.request = page.page().frame().share();
  }

  /** Sends the first wave. */
  void start() {
    ask(progress.send(page.plan().wanted(), page.plan().wave()));
    proceed();
  }

  /** Asks pieces that were named just now. */
  private void ask(List<Integer> numbers) {
    List<TokenRange> ranges = new ArrayList<>(numbers.size());
    for (int number : numbers) {
      pieces.add(piece(number));
      ranges.add(progress.request(number).piece().range());
    }
    merger.expect(ranges, progress.allNamed());
    numbers.forEach(number -> pieces.get(number).submit());
  }

  private PieceRead piece(int number) {
    ByteBuffer inner =
        number == 0 && page.page().from() != null ? page.page().from().inner() : null;
    return new PieceRead(page, progress, sizing, this, number, inner);
  }

  private void topUp() {
    int room = over ? 0 : progress.room();
    if (room > 0) {
      List<SubRequest> more = next(SubRequest.ALL);
      ask(progress.add(more.subList(0, Math.min(more.size(), room))));
    }
  }

  private List<SubRequest> next(int missing) {
    return page.split()
        .planner()
        .next(
            page.plan(),
            progress.behind(),
            missing,
            progress.seen(),
            page.split().known(page.context(), page.density()));
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
      int missing = more.rows() < 0 ? SubRequest.ALL : more.rows();
      ask(progress.send(missing, next(missing)));
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

  private void give(Frame frame, int rows) {
    page.split().meters().page(progress.waves(), memory.rows(), rows);
    long now = page.context().clock().nanoTime();
    pieces.forEach(piece -> piece.merged(now));
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

  @Override
  public void answered(int number, Frame frame) {
    if (over || pieces.get(number).isCancelled()) {
      frame.release();
      return;
    }
    Answered what = merger.offer(number, frame);
    if (what != null) {
      memory.came(what.rows(), what.bytes());
      progress.returned(number, what.rows(), what.complete());
      pieces.get(number).learn(what);
    }
    page.context().scheduler().remaining(page.query(), progress.rowsLeft(), progress.readsLeft());
    holding();
    outcome.progressed();
    topUp();
    proceed();
    if (!over) {
      holding();
      resumeParked();
    }
  }

  private void resumeParked() {
    long promised = 0;
    for (int each : progress.inOrder()) {
      promised += pieces.get(each).resumeIfParked(promised);
    }
  }

  /** Tells the client's account what is held, and the budget also what is to come. */
  private void holding() {
    long held = over ? 0 : merger.bufferedBytes();
    page.page().client().buffered(held - buffered);
    buffered = held;
    if (over) {
      memory.holds(0);
      return;
    }
    long bytes = held;
    for (int each : progress.inOrder()) {
      bytes += pieces.get(each).bytesToCome();
    }
    memory.holds(bytes);
  }

  @Override
  public void halved(int number, AfterTimeout.AskHalves halves) {
    int second = merger.split(number, halves.middle());
    pieces.add(piece(second));
    pieces.get(second).submit();
    pieces.get(number).submitAgain();
  }

  @Override
  public void error(Frame frame) {
    if (over) {
      frame.release();
      return;
    }
    close();
    outcome.error(frame);
  }

  @Override
  public void misunderstood(Frame frame) {
    if (page.page().from() != null) {
      error(frame);
      return;
    }
    frame.release();
    if (!over) {
      close();
      outcome.mustGoWhole();
    }
  }

  @Override
  public void fail(Failure failure) {
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

  /** Gives everything up, the slots of pieces that nodes are at work on included. */
  void abandon() {
    if (!over) {
      pieces.forEach(PieceRead::abandon);
      close();
    }
  }

  /** When its first piece was sent; {@code now} when it has waited until now. */
  long sentNanos(long now) {
    return pieces.isEmpty() ? now : pieces.get(0).sentNanos(now);
  }

  /** How far it is. */
  RequestFacts.Progress facts(int wanted) {
    boolean sent = pieces.stream().anyMatch(PieceRead::isSent);
    return new RequestFacts.Progress(
        sent ? "reading" : "queued",
        progress.ended(),
        pieces.size(),
        memory.rows(),
        wanted == SubRequest.ALL ? -1 : wanted,
        progress.shareLeft());
  }

  @Override
  public @Nullable ReadTrace trace() {
    return outcome.trace();
  }

  @Override
  public boolean isWanted() {
    if (!over && !outcome.isWanted()) {
      fail(new Failure.Unknown("The client is gone"));
    }
    return !over;
  }
}
