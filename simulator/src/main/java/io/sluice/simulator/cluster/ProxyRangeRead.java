package io.sluice.simulator.cluster;

import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule;
import io.sluice.decide.share.ShareRule.Scan;
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
  private record Ticket(Query query, long passableUntil) {}

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
  private Ticket ticket(Station home) {
    return tickets.computeIfAbsent(
        home,
        there -> {
          boolean begun = !pieces.isEmpty() && progress.missing() < plan.wanted();
          double rows = begun ? progress.rowsLeft() : first;
          int width = begun ? progress.readsLeft() : plan.wave().size();
          SimProxy proxy = there.proxy();
          Query query = proxy.rangeQuery(rows, read().limit(), width, deadline);
          return new Ticket(query, proxy.overtakes().passableUntil(query));
        });
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
  private void deliver(Station home, Runnable message) {
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
  private final class Piece {
    private final int number;
    private final List<NodeId> tried = new ArrayList<>();
    private @Nullable Attempt attempt;

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
      this.inRange = cluster().layout().actualRows(range);
    }

    private SubRequest request() {
      return progress.request(number);
    }

    void submit() {
      List<NodeId> candidates = origin.proxy().candidates(request().piece().replicas(), tried);
      if (candidates.isEmpty()) {
        giveUp(Failure.UNAVAILABLE);
      } else if (!isOver()) {
        submit(origin.route(candidates)).submit();
      }
    }

    private Attempt submit(Station.Route route) {
      Attempt next = new Attempt(this, route);
      attempt = next;
      return next;
    }

    /** Queues the piece again, alone, because a shared read did not serve it. */
    void submitAlone() {
      alone = true;
      submit();
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
      Attempt last = attempt;
      if (last != null) {
        deliver(last.home, last::abandon);
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
        range =
            new TokenRange(
                new Token.Murmur3(cluster().layout().tokenOfRow(after, count)), range.upTo());
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
  }

  /**
   * A piece's place in the queues, which it may give up to ride with another read. It rides only if
   * it gets all its rows; otherwise it is queued again. The real proxy would go on behind the rows
   * it got.
   */
  final class Attempt extends ProxyAttempt implements ScanSharing.Waiting {
    private final Piece piece;
    private final Station.Route route;
    private final Station home;

    /** The proxy that sends the read and gets the answer. */
    private final Station reader;

    private final @Nullable ShareRule rule;
    private final long queued = cluster().time().nanoTime();
    private final long passableUntil;
    private Scan scan;
    private Together<Attempt> read;
    private boolean gone;

    Attempt(Piece piece, Station.Route route) {
      super(
          route.home().proxy(),
          ticket(route.home()).query(),
          piece.number,
          route.replicas(),
          Math.min(piece.request().rows(), piece.request().piece().rows()));
      this.piece = piece;
      this.route = route;
      this.home = route.home();
      this.reader = home.leases() ? origin : home;
      this.passableUntil = ticket(home).passableUntil();
      this.rule = piece.alone ? null : origin.rule();
      this.scan = new Scan(piece.range, Math.max(1, piece.rowsToAsk()));
      this.read = new Together<>(scan, List.of());
    }

    void submit() {
      if (home != origin) {
        home.guests().add(this);
      }
      deliver(home, this::enter);
    }

    private void enter() {
      if (rule != null) {
        reader.waiting().add(this);
      }
      home.proxy().scheduler().submit(this);
    }

    /** Queues the piece again at the same home, because a shared read did not serve it. */
    private void requeue() {
      if (home == origin) {
        piece.submitAlone();
      } else if (!gone) {
        home.guests().remove(this);
        piece.alone = true;
        Attempt next = piece.submit(route);
        home.guests().add(next);
        next.enter();
      }
    }

    @Override
    public Object key() {
      return ProxyRangeRead.class;
    }

    @Override
    public long sequence() {
      return query().sequence();
    }

    @Override
    public Scan scan() {
      return scan;
    }

    @Override
    public boolean mayGoTo(NodeId node) {
      return route.replicas().contains(node);
    }

    @Override
    public boolean leaveQueue() {
      reader.waiting().remove(this);
      return super.leaveQueue();
    }

    /** Withdraws the attempt; an answer in flight is ignored. */
    void withdraw() {
      deliver(
          home,
          () -> {
            gone = true;
            home.guests().remove(this);
            leaveQueue();
          });
    }

    /** Leaves the home, which has died, so that no other read takes the piece along. */
    void leaveHome() {
      reader.waiting().remove(this);
    }

    /** Sends the piece to the next home, because its home has died with it. */
    void moveToNextHome() {
      if (!gone && piece.attempt == this) {
        gone = true;
        piece.submit();
      }
    }

    @Override
    protected void start(Permit permit) {
      reader.waiting().remove(this);
      home.proxy()
          .overtakes()
          .started(Layout.number(permit.node()), query(), passableUntil, queued);
      if (reader == home) {
        super.start(permit);
      } else {
        cluster().send(() -> super.start(permit));
      }
    }

    @Override
    void release(Runnable end) {
      if (reader == home) {
        end.run();
      } else {
        deliver(home, end);
      }
    }

    @Override
    long rowsNow() {
      int asked = reader == origin ? piece.rowsToAsk() : gone ? 0 : scan.rows();
      if (asked == 0) {
        return -1;
      }
      scan = new Scan(scan.range(), asked);
      read = new Together<>(scan, List.of());
      if (rule != null) {
        Together<Attempt> together = reader.waiting().takeAlong(this, scan, node(), rule);
        if (together != null) {
          read = together;
          together.riders().forEach(this::answersFor);
        }
      }
      Scan whole = read.whole();
      return Math.min(whole.rows(), cluster().layout().actualRows(whole.range()));
    }

    @Override
    void answered(long rows) {
      Layout layout = cluster().layout();
      long from = layout.rowsUpTo(Layout.after(read.whole().range()));
      long first = from + rows;
      long last = from;
      List<Attempt> takers = new ArrayList<>(List.of(this));
      takers.addAll(removeRiders());
      for (Attempt taker : takers) {
        long begins = layout.rowsUpTo(Layout.after(taker.scan.range()));
        long wants = Math.min(taker.scan.rows(), layout.actualRows(taker.scan.range()));
        if (begins + wants <= from + rows) {
          first = Math.min(first, begins);
          last = Math.max(last, begins + wants);
          cluster().meter().rowsRead(wants);
          taker.report(node(), () -> taker.piece.answered(wants));
        } else {
          taker.requeue();
        }
      }
      cluster().meter().rowsRead(rows - Math.max(0, last - first));
    }

    /** Reports the outcome, and the wait at a node, to the client's own proxy. */
    private void report(NodeId node, Runnable outcome) {
      home.guests().remove(this);
      if (reader == origin) {
        outcome.run();
        return;
      }
      double wait = home.waitMicros(node);
      cluster()
          .send(
              () -> {
                origin.told(node, wait);
                if (!gone) {
                  outcome.run();
                }
              });
    }

    /** Removes and returns the riders. */
    private List<Attempt> removeRiders() {
      List<Attempt> riders = read.riders();
      read = new Together<>(scan, List.of());
      return riders;
    }

    @Override
    void abandon() {
      super.abandon();
      home.guests().remove(this);
      removeRiders().forEach(Attempt::requeue);
    }

    @Override
    void lost() {
      NodeId node = node();
      report(node, () -> piece.lost(node));
      removeRiders().forEach(Attempt::requeue);
    }

    @Override
    void refused(Failure failure) {
      reader.waiting().remove(this);
      report(route.replicas().get(0), () -> piece.giveUp(failure));
    }
  }
}
