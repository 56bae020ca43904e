package io.sluice.exchange.range;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ReadTrace.FirstSent;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.RangeHint;
import java.util.concurrent.TimeUnit;

/**
 * The exchange of a piece that another proxy has sent to this proxy, the home of its node. The
 * piece waits here with the place that the other proxy sends. It may join shared scans. The node's
 * answer is passed on, errors included. The metrics of requests do not count guests.
 */
final class GuestPiece extends Exchange implements PieceListener {

  private final NodeId node;
  private final PageMemory memory;
  private final PieceRead piece;
  private final FirstSent firstSent = new FirstSent();

  /**
   * Creates an exchange that {@link #start} starts.
   *
   * @param page a page whose wave is this one piece
   * @param forwarded the piece as the other proxy sent it
   */
  GuestPiece(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      PageContext page,
      ForwardedPiece forwarded) {
    super(context, request, statement, forwarded.place().leftNanos());
    this.node = new NodeId(forwarded.node());
    this.memory = PageMemory.of(page);
    PageProgress progress = new PageProgress(page.goal(), 1, page::expectedRows);
    progress.send(page.plan().wanted(), page.plan().wave());
    RangeHint hint =
        new RangeHint(forwarded.place().readsLeft(), Math.round(forwarded.place().rowsLeft()));
    this.piece =
        new PieceRead(
            page,
            progress,
            new PieceSizing(page, progress, memory, hint),
            this,
            0,
            forwarded.pagingState());
  }

  /** Returns false: the proxy that sent the piece traces it. */
  @Override
  protected boolean mayBeTraced() {
    return false;
  }

  @Override
  protected void begin() {
    piece.submit();
  }

  @Override
  public void sent(long atNanos) {
    firstSent.sent(atNanos);
  }

  @Override
  public void answered(int number, Frame frame) {
    answer(frame);
  }

  @Override
  public void halved(int number, AfterTimeout.AskHalves halves) {
    throw new IllegalStateException("a guest is not cut");
  }

  @Override
  public void failed(int number, PieceError error) {
    error.deliver(this::answer, this::fail);
  }

  @Override
  public void statementRefused(int number, Frame frame) {
    answer(frame);
  }

  @Override
  public boolean takesErrors() {
    return true;
  }

  @Override
  public boolean isForProxy() {
    return true;
  }

  @Override
  public boolean isWanted() {
    if (!isOver() && !request().replyTo().isOpen()) {
      fail(new Failure.Unknown("The other proxy is gone"));
    }
    return !isOver();
  }

  @Override
  protected void answer(Frame frame) {
    if (!endUncounted()) {
      frame.release();
      return;
    }
    memory.release();
    long now = context().clock().nanoTime();
    NodeState state = context().scheduler().state(node);
    ForwardedPiece.Receipt receipt =
        new ForwardedPiece.Receipt(
            TimeUnit.NANOSECONDS.toMicros(firstSent.or(now) - arrival()),
            state == null ? 0 : (long) state.backlogMicros());
    request().replyTo().reply(receipt.addTo(frame));
  }

  @Override
  protected void fail(Failure failure) {
    if (endUncounted()) {
      piece.cancel();
      memory.release();
      new Replier()
          .fail(
              request().replyTo(),
              request().client().version(),
              statement().kind(),
              statement().consistency(),
              0,
              forOtherProxy(failure));
    }
  }

  /**
   * Returns OVERLOADED for a piece that an operator has ended here, so that the other proxy asks a
   * node. After another refusal it would send this proxy no pieces for some seconds.
   */
  private static Failure forOtherProxy(Failure failure) {
    return failure instanceof Failure.Refused ? new Failure.Overloaded(failure.message()) : failure;
  }

  @Override
  protected void giveUp() {
    piece.cancel();
  }

  @Override
  protected void abandon() {
    piece.abandon();
  }

  @Override
  protected long sentNanos(long now) {
    return firstSent.or(now);
  }

  @Override
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.whole(State.ofRead(piece.isSent()));
  }
}
