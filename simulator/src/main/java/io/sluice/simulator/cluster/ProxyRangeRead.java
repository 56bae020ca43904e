package io.sluice.simulator.cluster;

import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.WaveResult;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule;
import io.sluice.decide.share.ShareRule.Part;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range read through a proxy: cut by the real cutter, its pieces in the real queues. Stands for
 * what the proxy's own exchange and merger do: what comes back counts in ring order; once it is
 * enough, what still waits is cancelled; where a wave was not enough, the next goes on.
 */
final class ProxyRangeRead extends Exchange {
  private final SimProxy proxy;
  private final Scatter plan;
  private final Query query;
  private final double workMicros;
  private final long passableUntil;
  private final List<Piece> pieces = new ArrayList<>();

  /** The pieces from here on are the present wave. */
  private int waveStart;

  /** Rows that were wanted when the present wave was made. */
  private int waveWanted;

  /** The first piece whose rows are not in {@link #delivered} yet. */
  private int next;

  private long delivered;
  private double exhaustedEstimate;
  private long exhaustedRows;

  ProxyRangeRead(SimProxy proxy, Read read, Answer answer) {
    super(proxy.cluster(), read, answer);
    this.proxy = proxy;
    this.plan = proxy.statement().plan(read);
    this.waveWanted = plan.wanted();
    double rows = Math.min(read.limit(), cluster().layout().rows(plan.range()));
    this.query = proxy.rangeQuery(rows, read.limit(), plan.wave().size());
    this.workMicros = query.remainingMicros();
    this.passableUntil = proxy.overtakes().passableUntil(query);
  }

  void start() {
    send(plan.wave());
  }

  private void send(List<SubRequest> wave) {
    waveStart = pieces.size();
    for (SubRequest request : wave) {
      pieces.add(new Piece(request, pieces.size()));
    }
    for (int i = waveStart; i < pieces.size() && !isOver(); i++) {
      pieces.get(i).submit();
    }
  }

  private void pieceAnswered() {
    while (next < pieces.size() && pieces.get(next).done && delivered < plan.wanted()) {
      delivered += pieces.get(next++).rows;
    }
    if (delivered >= plan.wanted()) {
      finish();
    } else if (next == pieces.size()) {
      goOn();
    } else {
      long missing = Math.max(0, plan.wanted() - returned(0, pieces.size()));
      proxy.scheduler().remaining(query, workMicros * missing / plan.wanted());
    }
  }

  /** Everything sent has come, and it is not enough. */
  private void goOn() {
    Piece last = pieces.get(pieces.size() - 1);
    int missing = (int) (plan.wanted() - delivered);
    WaveResult seen = new WaveResult(pieces.size() - waveStart, exhaustedEstimate, exhaustedRows);
    List<SubRequest> wave = proxy.statement().next(plan, last.end(), missing, seen);
    if (wave.isEmpty()) {
      finish();
    } else {
      waveWanted = missing;
      proxy.scheduler().remaining(query, workMicros * missing / plan.wanted());
      send(wave);
    }
  }

  private long returned(int from, int to) {
    long rows = 0;
    for (int i = from; i < to; i++) {
      rows += pieces.get(i).rows;
    }
    return rows;
  }

  private void finish() {
    succeed(Math.min(delivered, plan.wanted()));
    for (int i = waveStart; i < pieces.size(); i++) {
      pieces.get(i).withdraw();
    }
  }

  @Override
  void abandon() {
    for (int i = waveStart; i < pieces.size(); i++) {
      pieces.get(i).abandon();
    }
  }

  /** One piece, at one replica after another until one answers. */
  private final class Piece {
    private final SubRequest request;
    private final int segment;
    private final long inRange;
    private final List<NodeId> tried = new ArrayList<>();
    private @Nullable Attempt attempt;
    private boolean alone;
    private boolean done;
    private long rows;

    Piece(SubRequest request, int segment) {
      this.request = request;
      this.segment = segment;
      this.inRange = cluster().layout().actualRows(request.piece().range());
    }

    void submit() {
      List<NodeId> candidates = proxy.candidates(request.piece().replicas(), tried);
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

    TokenRange range() {
      return request.piece().range();
    }

    /** Rows to ask for when its turn comes; 0: it need not be sent. */
    int asked() {
      return isOver() ? 0 : request.rowsAtDispatch(waveWanted, returned(waveStart, segment));
    }

    void answered(long count) {
      done = true;
      rows = count;
      if (count == inRange) {
        exhaustedEstimate += request.piece().rows();
        exhaustedRows += count;
      }
      if (!isOver()) {
        pieceAnswered();
      }
    }

    /** Where the next wave goes on; null at the end of the ring. */
    @Nullable Token end() {
      Token upTo = range().upTo();
      if (rows == inRange) {
        return upTo;
      }
      long after = Layout.after(range());
      return new Token.Murmur3(cluster().layout().tokenOfRow(after, rows));
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
    private Part part;
    private Together<Attempt> read;

    Attempt(Piece piece, List<NodeId> candidates) {
      super(
          proxy,
          query,
          piece.segment,
          candidates,
          Math.min(piece.request.rows(), piece.request.piece().rows()));
      this.piece = piece;
      this.candidates = candidates;
      this.rule = piece.alone ? null : proxy.shareRule();
      this.part = new Part(piece.range(), Math.max(1, piece.asked()));
      this.read = new Together<>(part, List.of());
    }

    void submit() {
      if (rule != null) {
        proxy.sharing().add(this);
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
    public Part part() {
      return part;
    }

    @Override
    public boolean mayGoTo(NodeId node) {
      return candidates.contains(node);
    }

    @Override
    public boolean leaveQueue() {
      proxy.sharing().remove(this);
      return super.leaveQueue();
    }

    @Override
    protected void start(Permit permit) {
      proxy.sharing().remove(this);
      proxy.overtakes().started(Layout.number(permit.node()), query, passableUntil, queued);
      super.start(permit);
    }

    @Override
    long rowsNow() {
      int asked = piece.asked();
      if (asked == 0) {
        return -1;
      }
      part = new Part(piece.range(), asked);
      read = new Together<>(part, List.of());
      if (rule != null) {
        Together<Attempt> together = proxy.sharing().takeAlong(this, part, node(), rule);
        if (together != null) {
          read = together;
          together.riders().forEach(this::answersFor);
        }
      }
      Part whole = read.whole();
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
        long begins = cluster().layout().rowsUpTo(Layout.after(taker.piece.range()));
        long wants = Math.min(taker.part.rows(), taker.piece.inRange);
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

    /** Who rides, and does so no more. */
    private List<Attempt> dismissed() {
      List<Attempt> riders = read.riders();
      read = new Together<>(part, List.of());
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
      proxy.sharing().remove(this);
      piece.giveUp(failure);
    }
  }
}
