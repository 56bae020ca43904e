package io.sluice.exchange.range;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.share.ScanSharing;
import io.sluice.decide.share.ScanSharing.Together;
import io.sluice.decide.share.ShareRule;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece's place in one replica's queue, which it may give up for a share of another's answer.
 * What becomes of it is told to its question, on the client's lane.
 */
final class PieceTurn extends Demand implements ScanSharing.Waiting {

  private final PieceQuestion question;
  private final ScatterRead read;
  private final List<NodeId> nodes;
  private final ShareRule.@Nullable Part part;
  private final PieceRead.@Nullable ShareKey key;
  private @Nullable Permit permit;

  /**
   * Not queued yet.
   *
   * @param nodes who may answer it
   * @param mayShare whether it may be read together with others
   */
  PieceTurn(
      PieceQuestion question,
      ScatterRead read,
      PieceRead piece,
      List<NodeId> nodes,
      boolean mayShare) {
    super(read.query(), piece.number(), nodes, read.expectedRows(piece.request()));
    this.question = question;
    this.read = read;
    this.nodes = nodes;
    this.part = mayShare ? piece.shareable() : null;
    this.key = part == null ? null : piece.shareKey();
  }

  /** Queues it; its turn may come at once. */
  void submit() {
    if (part != null) {
      sharing().add(this);
    }
    read.context().scheduler().submit(this);
  }

  /** Its turn has come, and is used. */
  void take(Permit granted) {
    permit = granted;
  }

  /** What it was given, if it uses it. */
  @Nullable Permit permit() {
    return permit;
  }

  /** Others that are read with it, now that its turn has come; null without. */
  @Nullable SharedScan takeAlong(int rows) {
    if (part == null || !read.mayShare()) {
      return null;
    }
    ShareRule.Part now = new ShareRule.Part(part.range(), rows);
    Together<PieceTurn> together = sharing().takeAlong(this, now, node(), read.shareRule());
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
    waitsNoMore();
    return read.context().scheduler().cancel(this);
  }

  /**
   * Another has read for it, after it gave its turn up. Called once, from any thread, and takes the
   * frame over.
   *
   * @param answer null when that came to nothing: it has to wait for its turn again
   */
  void ride(@Nullable Frame answer) {
    read.lane().run(() -> question.ride(this, answer));
  }

  /** Whether its client would take rows for it now. May be called from any thread. */
  boolean hasRoom() {
    return !read.page().client().isFull();
  }

  /**
   * Another has read for it, but its client has too much unread. Called instead of {@link #ride}.
   */
  void postpone() {
    read.lane().run(() -> question.postpone(this));
  }

  @Override
  protected void start(Permit granted) {
    waitsNoMore();
    read.lane().run(() -> question.begin(this, granted));
  }

  @Override
  protected void refuse(Refusal refusal) {
    waitsNoMore();
    read.lane().run(() -> question.refused(this, refusal));
  }

  private void waitsNoMore() {
    if (part != null) {
      sharing().remove(this);
    }
  }

  private ScanSharing<PieceTurn> sharing() {
    return read.split().sharing();
  }
}
