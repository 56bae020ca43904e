package io.sluice.exchange.range;

import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReplicaRead;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece's place in one replica's queue, which it may give up for a share of another's answer. */
final class QueuedPiece extends QueuedRead implements ScanSharing.Waiting {

  private final PieceAttempt attempt;
  private final ReplicaRead replicas;
  private final ScatterRead read;
  private final List<NodeId> nodes;
  private final ShareRule.@Nullable Part part;
  private final PieceRead.@Nullable ShareKey key;

  /**
   * Describes a place that is not taken yet.
   *
   * @param nodes nodes that may answer
   * @param mayShare whether it may be read together with others
   */
  QueuedPiece(
      PieceAttempt attempt,
      ReplicaRead replicas,
      ScatterRead read,
      PieceRead piece,
      List<NodeId> nodes,
      boolean mayShare) {
    super(replicas, read.query(), piece.number(), nodes, read.expectedRows(piece.request()));
    this.attempt = attempt;
    this.replicas = replicas;
    this.read = read;
    this.nodes = nodes;
    this.part = mayShare ? piece.shareable() : null;
    this.key = part == null ? null : piece.shareKey();
  }

  /** Others that are read with it, now that its turn has come; null without. */
  @Nullable SharedScan takeAlong(int rows) {
    if (part == null || !read.mayShare()) {
      return null;
    }
    ShareRule.Part now = new ShareRule.Part(part.range(), rows);
    Together<QueuedPiece> together = sharing().takeAlong(this, now, node(), read.shareRule());
    if (together != null) {
      together.riders().forEach(this::answersFor);
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
  public ShareRule.Part part() {
    return Objects.requireNonNull(part);
  }

  @Override
  public boolean mayGoTo(NodeId node) {
    return nodes.contains(node);
  }

  @Override
  public boolean leaveQueue() {
    leaves();
    return read.context().scheduler().cancel(this);
  }

  /**
   * Another has read for it, after it gave its turn up. Called once, from any thread, and takes the
   * frame over.
   *
   * @param answer null when that came to nothing: it has to wait for its turn again
   */
  void ride(@Nullable Frame answer) {
    read.lane().run(() -> replicas.guarded(() -> attempt.ride(this, answer)));
  }

  /** Whether its client would take rows for it now. May be called from any thread. */
  boolean hasRoom() {
    return !read.page().client().isFull();
  }

  /**
   * Another has read for it, but its client has too much unread. Called instead of {@link #ride}.
   */
  void postpone() {
    read.lane().run(() -> attempt.postpone(this));
  }

  @Override
  protected void joins() {
    if (part != null) {
      sharing().add(this);
    }
  }

  @Override
  protected void leaves() {
    if (part != null) {
      sharing().remove(this);
    }
  }

  private ScanSharing<QueuedPiece> sharing() {
    return read.split().sharing();
  }
}
