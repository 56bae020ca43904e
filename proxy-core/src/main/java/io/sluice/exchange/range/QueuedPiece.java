package io.sluice.exchange.range;

import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule;
import io.sluice.exchange.ReplicaRead;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The place of a {@link PieceAttempt} in one replica's queue. */
final class QueuedPiece extends Rider {

  private final PieceAttempt attempt;
  private final ReplicaRead replicas;
  private final PageContext page;
  private final PieceRead piece;
  private final List<NodeId> nodes;
  private final PieceSharing sharing;
  private final ShareRule.@Nullable Scan scan;
  private final PieceRequests.@Nullable ShareKey key;

  /** Whether the piece waits for its client, and may leave for a shared scan. */
  private final AtomicBoolean paused = new AtomicBoolean();

  /** Whether the piece has left for a shared scan while it waited for its client. */
  private volatile boolean leftPause;

  /**
   * Creates a place. The scheduler's {@code submit} puts it into a queue.
   *
   * @param nodes nodes that can answer
   * @param sharing the shared scans of the piece
   */
  QueuedPiece(
      PieceAttempt attempt,
      ReplicaRead replicas,
      PageContext page,
      PieceRead piece,
      List<NodeId> nodes,
      PieceSharing sharing) {
    super(replicas, page.query(), piece.number(), nodes, piece.expectedRows());
    this.attempt = attempt;
    this.replicas = replicas;
    this.page = page;
    this.piece = piece;
    this.nodes = nodes;
    this.sharing = sharing;
    this.scan = sharing.isAlone() ? null : piece.shareable();
    this.key = scan == null ? null : piece.shareKey();
  }

  /**
   * Returns the scan that this piece shares with waiting pieces as it gets its slot; null to read
   * alone.
   */
  @Nullable SharedScan takeAlong(int rows) {
    if (scan == null || !page.mayShare()) {
      return null;
    }
    ShareRule.Scan now = new ShareRule.Scan(scan.range(), rows);
    Together<Rider> together = waiting().takeAlong(this, now, node(), piece.shareRule());
    if (together != null) {
      together.riders().stream().filter(Rider::wasQueued).forEach(this::answersFor);
    }
    return together == null ? null : new SharedScan(together.whole(), now, together.riders());
  }

  @Override
  public Object key() {
    return Objects.requireNonNull(key);
  }

  @Override
  public long sequence() {
    return query().sequence();
  }

  @Override
  public ShareRule.Scan scan() {
    return Objects.requireNonNull(scan);
  }

  @Override
  public boolean mayGoTo(NodeId node) {
    return nodes.contains(node);
  }

  @Override
  public boolean leaveQueue() {
    if (!paused.get()) {
      return leave(page.context().scheduler());
    }
    if (!hasRoom() || !paused.compareAndSet(true, false)) {
      return false;
    }
    leftPause = true;
    leaves();
    return true;
  }

  @Override
  boolean wasQueued() {
    return !leftPause;
  }

  /**
   * A piece that waits for its client takes no slot, but may take rows of another piece's answer.
   */
  @Override
  protected void pauses() {
    leftPause = false;
    if (scan != null) {
      paused.set(true);
      waiting().add(this);
    }
  }

  @Override
  protected boolean endsPause() {
    if (scan == null) {
      return true;
    }
    leaves();
    return paused.getAndSet(false);
  }

  @Override
  void aboard() {
    page.lane().run(this::beginRide);
  }

  private void beginRide() {
    if (replicas.isCurrentPlace(this)) {
      sharing.beginRide(() -> replicas.guarded(() -> attempt.ride(this, null)));
    }
  }

  @Override
  void ride(@Nullable Frame answer) {
    page.lane()
        .run(
            () -> replicas.guarded(() -> attempt.ride(this, answer)),
            () -> {
              if (answer != null) {
                answer.release();
              }
            });
  }

  @Override
  boolean hasRoom() {
    return !page.page().client().isFull();
  }

  @Override
  void postpone() {
    page.lane()
        .run(
            () -> {
              if (replicas.isCurrentPlace(this)) {
                sharing.endRide();
                replicas.afterDrain(this);
              }
            });
  }

  @Override
  protected void joins() {
    if (scan != null) {
      waiting().add(this);
    }
  }

  @Override
  protected void leaves() {
    if (scan != null) {
      waiting().remove(this);
    }
  }

  private ScanSharing<Rider> waiting() {
    return page.split().sharing();
  }
}
