package io.sluice.link;

import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Periodic trials of the nodes that get no requests. Slots reconnect for some minutes only, and the
 * event that reports a node up may be lost, so only a trial may show that a node is back. A trial
 * is a connection of its own with an OPTIONS request, which needs no login. Not safe for several
 * threads: one lane.
 */
final class NodeTrials {

  /** A node is tried once in this time, or more rarely if many nodes are tried. */
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** One trial begins in this time. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The time that connecting, the TLS handshake and the response may each take. */
  private static final int STEPS = 3;

  /** A version that nodes usually speak. The error of one that does not is a response too. */
  private static final int VERSION = 4;

  private final Opener opener;
  private final Lane lane;
  private final long stepNanos;
  private final Supplier<List<Node>> nodes;
  private final BooleanSupplier ended;
  private final Queue<Node> waiting = new ArrayDeque<>();
  private long untilRound;

  /** Opens a connection on which nothing was sent, as {@link LinkPool#open} does. */
  interface Opener {
    void open(Lane lane, Node node, int version, LinkWaiter waiter);
  }

  /**
   * Creates an object that tries nothing yet.
   *
   * @param nodes returns the nodes to try; called on the lane
   * @param ended whether the trials are over
   */
  NodeTrials(
      Opener opener,
      LinkConfig config,
      Lane lane,
      Supplier<List<Node>> nodes,
      BooleanSupplier ended) {
    this.opener = opener;
    this.lane = lane;
    this.stepNanos = config.suspectAfter().toNanos();
    this.nodes = nodes;
    this.ended = ended;
  }

  /** Starts the trials. Called once, from any thread. */
  void begin() {
    lane.schedule(PAUSE_NANOS, this::tick);
  }

  private void tick() {
    if (ended.getAsBoolean()) {
      return;
    }
    try {
      untilRound -= PAUSE_NANOS;
      if (waiting.isEmpty() && untilRound <= 0) {
        // Longer than a trial, so that a node has one at a time.
        untilRound = Math.max(ROUND_NANOS, STEPS * stepNanos + PAUSE_NANOS);
        waiting.addAll(nodes.get());
      }
      Node next = waiting.poll();
      if (next != null) {
        attempt(next);
      }
    } finally {
      lane.schedule(PAUSE_NANOS, this::tick);
    }
  }

  /** Tries a node. A failure changes nothing. */
  void attempt(Node node) {
    opener.open(
        lane,
        node,
        VERSION,
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            link.send(CqlCodec.options(VERSION), new Answered(link));
            lane.schedule(stepNanos, () -> link.close("the node did not answer in time"));
          }

          @Override
          public void failed(LinkFailure failure) {
            // The node stays as it is.
          }
        });
  }

  /** Makes the node usable when it responds. */
  private record Answered(Link link) implements AnswerHandler {

    @Override
    public void answered(Frame answer) {
      answer.release();
      link.becomesReady();
      link.close("the node was only tried");
    }

    @Override
    public void lost(String reason) {
      // The node stays as it is.
    }
  }
}
