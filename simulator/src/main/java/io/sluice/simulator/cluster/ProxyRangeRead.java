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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range read through a proxy: cut by the real cutter, its pieces in the real queues and in the
 * real order of a page under way. Stands for what the proxy does with answers: once the rows in
 * ring order are enough, what still waits is cancelled; where a piece or a wave was not enough, the
 * read goes on behind it.
 */
final class ProxyRangeRead extends Exchange {

  /**
   * What the range reads of one proxy share.
   *
   * @param rule what is read together; null without shared scans
   * @param waiting pieces that wait in the proxy's queues
   */
  record Shared(
      SimProxy proxy,
      RangeStatement statement,
      @Nullable ShareRule rule,
      ScanSharing<Attempt> waiting) {

    Shared(SimProxy proxy, RangeStatement statement, @Nullable ShareRule rule) {
      this(proxy, statement, rule, new ScanSharing<>());
    }
  }

  private final Shared shared;
  private final SimProxy proxy;
  private final Scatter plan;
  private final PageProgress progress;
  private final Query query;
  private final long passableUntil;
  private final List<Piece> pieces = new ArrayList<>();

  ProxyRangeRead(Shared shared, Read read, Answer answer) {
    super(shared.proxy().cluster(), read, answer);
    this.shared = shared;
    this.proxy = shared.proxy();
    this.plan = shared.statement().plan(read);
    double rows = Math.min(read.limit(), cluster().layout().rows(plan.range()));
    this.progress = shared.statement().progress(plan, rows);
    this.query = proxy.rangeQuery(rows, read.limit(), plan.wave().size());
    this.passableUntil = proxy.overtakes().passableUntil(query);
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
    proxy.scheduler().remaining(query, progress.rowsLeft(), progress.readsLeft());
    if (progress.isFull()) {
      finish();
    } else if (progress.openPieces() == 0) {
      goOn();
    } else {
      for (int number : progress.inOrder()) {
        if (progress.isNext(number)) {
          pieces.get(number).goOn();
        }
      }
    }
  }

  /** Everything sent has come, and it is not enough. */
  private void goOn() {
    List<SubRequest> wave = shared.statement().next(plan, progress);
    if (wave.isEmpty()) {
      finish();
    } else {
      send(progress.missing(), wave);
    }
  }

  private void finish() {
    succeed(plan.wanted() - progress.missing());
    progress.inOrder().forEach(number -> pieces.get(number).withdraw());
  }

  @Override
  void abandon() {
    progress.inOrder().forEach(number -> pieces.get(number).abandon());
  }

  /** One piece, at one replica after another until one answers. */
  private final class Piece {
    private final int number;
    private final List<NodeId> tried = new ArrayList<>();
    private @Nullable Attempt attempt;

    /** What is left to ask for; the whole piece at first. */
    private TokenRange range;

    private long inRange;

    /** Rows to ask for where an answer ended; 0 at the piece's own beginning. */
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
      List<NodeId> candidates = proxy.candidates(request().piece().replicas(), tried);
      if (candidates.isEmpty()) {
        giveUp(Failure.UNAVAILABLE);
      } else if (!isOver()) {
        Attempt next = new Attempt(this, candidates);
        attempt = next;
        next.submit();
      }
    }

    /** Waits for a turn again, having been read for in vain. */
    void submitAlone() {
      alone = true;
      submit();
    }

    void giveUp(Failure failure) {
      fail(failure);
      ProxyRangeRead.this.abandon();
    }

    void withdraw() {
      if (attempt != null) {
        attempt.leaveQueue();
      }
    }

    void abandon() {
      if (attempt != null) {
        attempt.abandon();
      }
    }

    /** Rows to ask for when its turn comes; 0: it need not be sent. */
    int asked() {
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

    /** Asks for what an answer did not hold, which no other read is asked with. */
    void goOn() {
      if (cutShort) {
        cutShort = false;
        rest = progress.missing();
        tried.clear();
        submitAlone();
      }
    }
  }

  /**
   * A piece's place in the queues, which it may give up for a share of what another one reads. It
   * rides only where it gets all it wants: what is short is asked for anew, where the proxy goes
   * on.
   */
  final class Attempt extends ProxyAttempt implements ScanSharing.Waiting {
    private final Piece piece;
    private final List<NodeId> candidates;
    private final @Nullable ShareRule rule;
    private final long queued = cluster().time().nanoTime();
    private Scan scan;
    private Together<Attempt> read;

    Attempt(Piece piece, List<NodeId> candidates) {
      super(
          proxy,
          query,
          piece.number,
          candidates,
          Math.min(piece.request().rows(), piece.request().piece().rows()));
      this.piece = piece;
      this.candidates = candidates;
      this.rule = piece.alone ? null : shared.rule();
      this.scan = new Scan(piece.range, Math.max(1, piece.asked()));
      this.read = new Together<>(scan, List.of());
    }

    void submit() {
      if (rule != null) {
        shared.waiting().add(this);
      }
      proxy.scheduler().submit(this);
    }

    @Override
    public Object key() {
      return ProxyRangeRead.class;
    }

    @Override
    public long sequence() {
      return query.sequence();
    }

    @Override
    public Scan scan() {
      return scan;
    }

    @Override
    public boolean mayGoTo(NodeId node) {
      return candidates.contains(node);
    }

    @Override
    public boolean leaveQueue() {
      shared.waiting().remove(this);
      return super.leaveQueue();
    }

    @Override
    protected void start(Permit permit) {
      shared.waiting().remove(this);
      proxy.overtakes().started(Layout.number(permit.node()), query, passableUntil, queued);
      super.start(permit);
    }

    @Override
    long rowsNow() {
      int asked = piece.asked();
      if (asked == 0) {
        return -1;
      }
      scan = new Scan(piece.range, asked);
      read = new Together<>(scan, List.of());
      if (rule != null) {
        Together<Attempt> together = shared.waiting().takeAlong(this, scan, node(), rule);
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
      long from = cluster().layout().rowsUpTo(Layout.after(read.whole().range()));
      long first = from + rows;
      long last = from;
      List<Attempt> takers = new ArrayList<>(List.of(this));
      takers.addAll(dismissed());
      for (Attempt taker : takers) {
        long begins = cluster().layout().rowsUpTo(Layout.after(taker.piece.range));
        long wants = Math.min(taker.scan.rows(), taker.piece.inRange);
        if (begins + wants <= from + rows) {
          first = Math.min(first, begins);
          last = Math.max(last, begins + wants);
          cluster().meter().rowsRead(wants);
          taker.piece.answered(wants);
        } else {
          taker.piece.submitAlone();
        }
      }
      cluster().meter().rowsRead(rows - Math.max(0, last - first));
    }

    /** What rides, and rides no more. */
    private List<Attempt> dismissed() {
      List<Attempt> riders = read.riders();
      read = new Together<>(scan, List.of());
      return riders;
    }

    @Override
    void abandon() {
      super.abandon();
      dismissed().forEach(rider -> rider.piece.submitAlone());
    }

    @Override
    void lost() {
      piece.tried.add(node());
      piece.submit();
      dismissed().forEach(rider -> rider.piece.submitAlone());
    }

    @Override
    void refused(Failure failure) {
      shared.waiting().remove(this);
      piece.giveUp(failure);
    }
  }
}
