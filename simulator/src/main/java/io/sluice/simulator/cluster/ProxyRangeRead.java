package io.sluice.simulator.cluster;

import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.schedule.Query;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A range read through a proxy: cut by the real cutter, its pieces in the real queues and in the
 * real order of a page. Answers are handled by a model. Once the rows in ring order suffice, queued
 * pieces are cancelled. If a piece or a wave does not suffice, the read continues behind it.
 */
final class ProxyRangeRead extends Exchange {

  /**
   * The read at one home proxy.
   *
   * @param query its place in the order there
   * @param passableUntil see {@link OvertakeWatch}
   */
  record Ticket(Query query, long passableUntil) {}

  private final Station origin;
  private final Scatter plan;
  private final PageProgress progress;

  /** Estimated rows at the beginning of the read. */
  private final double first;

  private final long deadline;
  private final Map<Station, Ticket> tickets = new HashMap<>();
  private final List<Piece> pieces = new ArrayList<>();

  ProxyRangeRead(Station origin, Read read, Answer answer) {
    super(origin.proxy().cluster(), read, answer);
    this.origin = origin;
    this.plan = origin.statement().plan(read);
    double rows = Math.min(read.limit(), cluster().layout().rows(plan.range()));
    this.progress = origin.statement().progress(plan, rows);
    this.deadline = origin.proxy().deadline(Timeouts.RANGE.toNanos());
    this.first = rows;
  }

  /** Returns the place in the order at a home, as of the first piece sent there or better. */
  Ticket ticket(Station home) {
    return tickets.computeIfAbsent(
        home,
        there -> {
          boolean begun = !pieces.isEmpty() && progress.missing() < plan.wanted();
          double rows = begun ? progress.rowsLeft() : first;
          int width = begun ? progress.readsLeft() : plan.wave().size();
          SimProxy proxy = there.proxy();
          Query query = proxy.rangeQuery(read(), rows, width, deadline);
          return new Ticket(query, proxy.overtakes().passableUntil(query));
        });
  }

  /** Returns the client's own proxy. */
  Station origin() {
    return origin;
  }

  void start() {
    send(plan.wanted(), plan.wave());
  }

  private void send(int missing, List<SubRequest> wave) {
    List<Integer> numbers = progress.send(missing, wave);
    numbers.forEach(number -> pieces.add(new Piece(number)));
    for (int number : numbers) {
      if (!isOver()) {
        pieces.get(number).submit();
      }
    }
  }

  /** Goes on with the page, because a piece has returned rows. */
  private void pieceAnswered() {
    tellRemaining();
    if (progress.isFull()) {
      finish();
    } else if (progress.openPieces() == 0) {
      sendNextWave();
    } else {
      for (int number : progress.inOrder()) {
        if (progress.isNext(number)) {
          pieces.get(number).askForRest();
        }
      }
    }
  }

  private void tellRemaining() {
    double rows = progress.rowsLeft();
    int reads = progress.readsLeft();
    tickets.forEach(
        (home, ticket) ->
            deliver(home, () -> home.proxy().scheduler().remaining(ticket.query(), rows, reads)));
  }

  /** Delivers a message to a home; at once if that is the client's own proxy. */
  void deliver(Station home, Runnable message) {
    if (home == origin) {
      message.run();
    } else {
      cluster()
          .send(
              () -> {
                if (!home.proxy().isDead()) {
                  message.run();
                }
              });
    }
  }

  /** Sends the next wave, because all pieces have ended and rows are missing. */
  private void sendNextWave() {
    List<SubRequest> wave = origin.statement().next(plan, progress);
    if (wave.isEmpty()) {
      finish();
    } else {
      send(progress.missing(), wave);
    }
  }

  private void finish() {
    succeed(plan.wanted() - progress.missing());
    withdraw();
  }

  @Override
  void withdraw() {
    progress.inOrder().forEach(number -> pieces.get(number).withdraw());
  }

  @Override
  void abandon() {
    progress.inOrder().forEach(number -> pieces.get(number).abandon());
  }

  /** One piece, which is sent to one replica after another until one answers. */
  final class Piece {
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

    Piece(int number) {
      this.number = number;
      this.range = request().piece().range();
      this.inRange = layout().actualRows(range);
    }

    SubRequest request() {
      return progress.request(number);
    }

    void submit() {
      List<NodeId> candidates = origin.proxy().candidates(request().piece().replicas(), tried);
      if (candidates.isEmpty()) {
        giveUp(Failure.UNAVAILABLE);
      } else if (!isOver()) {
        attempt(origin.route(candidates)).submit();
      }
    }

    private RangeAttempt attempt(Station.Route route) {
      RangeAttempt next = new RangeAttempt(ProxyRangeRead.this, this, route);
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
      fail(failure);
      ProxyRangeRead.this.abandon();
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
        deliver(last.home(), last::abandon);
      }
    }

    /** Returns how many rows to ask for when the turn comes; 0 if the request need not be sent. */
    int rowsToAsk() {
      return isOver() ? 0 : rest > 0 ? rest : progress.rowsAtDispatch(number);
    }

    void answered(long count) {
      cutShort = count < inRange;
      progress.returned(number, (int) count, !cutShort);
      if (cutShort) {
        long after = Layout.after(range);
        range = new TokenRange(new Token.Murmur3(layout().tokenOfRow(after, count)), range.upTo());
        inRange -= count;
      }
      if (!isOver()) {
        pieceAnswered();
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
      return cluster().layout();
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
}
