package io.sluice.simulator.cluster;

import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlanner.Seen;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
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
    Seen seen = new Seen(pieces.size() - waveStart, exhaustedEstimate, exhaustedRows);
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
        proxy.scheduler().submit(next);
      }
    }

    void giveUp(Failure failure) {
      fail(failure);
      ProxyRangeRead.this.abandon();
    }

    void withdraw() {
      if (attempt != null) {
        proxy.scheduler().cancel(attempt);
      }
    }

    void abandon() {
      if (attempt != null) {
        attempt.abandon();
      }
    }

    /** Rows to ask for when its turn comes, at most those that are there. */
    long rowsNow() {
      int asked = request.rowsAtDispatch(waveWanted, returned(waveStart, segment));
      return isOver() || asked == 0 ? -1 : Math.min(asked, inRange);
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
      Token upTo = request.piece().range().upTo();
      if (rows == inRange) {
        return upTo;
      }
      long after = Layout.after(request.piece().range());
      return new Token.Murmur3(cluster().layout().tokenOfRow(after, rows));
    }
  }

  private final class Attempt extends ProxyAttempt {
    private final Piece piece;
    private final long queued = cluster().time().nanoTime();

    Attempt(Piece piece, List<NodeId> candidates) {
      super(
          proxy,
          query,
          piece.segment,
          candidates,
          Math.min(piece.request.rows(), piece.request.piece().rows()));
      this.piece = piece;
    }

    @Override
    protected void start(Permit permit) {
      proxy.overtakes().started(Layout.number(permit.node()), query, passableUntil, queued);
      super.start(permit);
    }

    @Override
    long rowsNow() {
      return piece.rowsNow();
    }

    @Override
    void answered(long rows) {
      cluster().meter().rowsRead(rows);
      piece.answered(rows);
    }

    @Override
    void lost() {
      piece.tried.add(node());
      piece.submit();
    }

    @Override
    void refused(Failure failure) {
      piece.giveUp(failure);
    }
  }
}
