package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way of a piece to its node through the node's home proxy, which is tried at most once.
 * Afterwards this proxy contacts the node itself, as it does when the home cannot be used. Not safe
 * for several threads: its client's lane.
 */
final class HomeRoute {

  private final PageContext page;
  private final HomeListener listener;

  /** Whether this proxy contacts the node itself, even if the node has another home proxy. */
  private boolean direct;

  private @Nullable HomeAttempt attempt;

  /**
   * Creates a route that was not tried.
   *
   * @param listener gets the outcome of the request at the home proxy
   */
  HomeRoute(PageContext page, HomeListener listener) {
    this.page = page;
    this.listener = listener;
  }

  /**
   * Returns the home proxy that the piece is to be sent to; null if the piece waits here.
   *
   * @param withinNanos the time that the home has for it
   */
  @Nullable Away away(Piece piece, long withinNanos) {
    HomeChoice choice = direct ? null : page.home(piece, withinNanos);
    if (choice instanceof HomeChoice.Instead) {
      direct = true;
      fellBack(Fallback.AVOIDED);
    }
    return choice instanceof Away to ? to : null;
  }

  /** Sends the request for the piece to its home proxy; takes the frame over. */
  void send(Away to, Frame frame, long timeoutNanos) {
    direct = true;
    HomeAttempt next = new HomeAttempt(homes(), to, listener);
    attempt = next;
    long now = page.context().clock().nanoTime();
    next.start(page.lane(), page.page().linkKey(), frame, now, timeoutNanos);
  }

  /** Counts a piece that is sent to its node directly. */
  void fellBack(Fallback reason) {
    homes().meters().fellBack(reason);
  }

  private PieceHomes homes() {
    return Objects.requireNonNull(page.split().homes());
  }

  /** Returns those of {@code nodes} whose home is this proxy, or all of them if there are none. */
  List<NodeId> homedHere(Piece piece, List<NodeId> nodes) {
    boolean any = direct || page.split().homes() == null;
    if (any || !(page.home(piece, Long.MAX_VALUE) instanceof HomeChoice.Here here)) {
      return nodes;
    }
    List<NodeId> both = nodes.stream().filter(here.nodes()::contains).toList();
    return both.isEmpty() ? nodes : both;
  }

  /** Whether a request waits or runs at the home proxy. */
  boolean isSent() {
    return attempt != null && !attempt.isOver();
  }

  /**
   * Drops the answer of the home proxy. A read that already waits or runs there runs to its end.
   */
  void abandon() {
    if (attempt != null) {
      attempt.abandon();
    }
  }
}
