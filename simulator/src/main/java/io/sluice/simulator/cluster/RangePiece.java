package io.sluice.simulator.cluster;

import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.PageProgress;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One piece, which is sent to one replica after another until one answers. */
final class RangePiece {
  private final ProxyRangeRead read;
  private final PageProgress progress;
  private final int number;
  private final List<NodeId> tried = new ArrayList<>();
  private @Nullable RangeAttempt attempt;

  /** The range left to ask for; the whole piece at first. */
  private TokenRange range;

  private long inRange;

  /** Rows to ask for after the end of an answer; 0 at the beginning of the piece. */
  private int rest;

  private boolean alone;

  /** Whether an answer ended before the piece did. */
  private boolean cutShort;

  RangePiece(ProxyRangeRead read, PageProgress progress, int number) {
    this.read = read;
    this.progress = progress;
    this.number = number;
    this.range = request().piece().range();
    this.inRange = layout().actualRows(range);
  }

  SubRequest request() {
    return progress.request(number);
  }

  void submit() {
    List<NodeId> candidates = read.origin().proxy().candidates(request().piece().replicas(), tried);
    if (candidates.isEmpty()) {
      giveUp(Failure.UNAVAILABLE);
    } else if (!read.isOver()) {
      attempt(read.origin().route(candidates)).submit();
    }
  }

  private RangeAttempt attempt(Station.Route route) {
    RangeAttempt next = new RangeAttempt(read, this, route);
    attempt = next;
    return next;
  }

  /** Queues the piece again, alone, because a shared read did not serve it. */
  void submitAlone() {
    alone = true;
    submit();
  }

  /** Makes an attempt without sharing at the same home, which queues it. */
  RangeAttempt submitAlone(Station.Route route) {
    alone = true;
    return attempt(route);
  }

  void giveUp(Failure failure) {
    read.fail(failure);
    read.abandon();
  }

  void lost(NodeId node) {
    tried.add(node);
    submit();
  }

  void withdraw() {
    if (attempt != null) {
      attempt.withdraw();
    }
  }

  void abandon() {
    RangeAttempt last = attempt;
    if (last != null) {
      read.deliver(last.home(), last::abandon);
    }
  }

  /** Returns how many rows to ask for when the turn comes; 0 if the request need not be sent. */
  int rowsToAsk() {
    return read.isOver() ? 0 : rest > 0 ? rest : progress.rowsAtDispatch(number);
  }

  void answered(long count) {
    cutShort = count < inRange;
    progress.returned(number, (int) count, !cutShort);
    if (cutShort) {
      long after = Layout.after(range);
      range = new TokenRange(new Token.Murmur3(layout().tokenOfRow(after, count)), range.upTo());
      inRange -= count;
    }
    if (!read.isOver()) {
      read.pieceAnswered();
    }
  }

  /** Asks for the rows that an answer did not contain, in a read that is not shared. */
  void askForRest() {
    if (cutShort) {
      cutShort = false;
      rest = progress.missing();
      tried.clear();
      submitAlone();
    }
  }

  private Layout layout() {
    return read.cluster().layout();
  }

  int number() {
    return number;
  }

  TokenRange range() {
    return range;
  }

  /** Whether it is read alone, because a shared read did not serve it. */
  boolean isAlone() {
    return alone;
  }

  /** Whether the attempt is its latest. */
  boolean isAt(RangeAttempt one) {
    return attempt == one;
  }
}
