package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.wire.Identity;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Periodic trials of the nodes that get no requests. Slots reconnect for some minutes only, and the
 * event that reports a node up may be lost, so only a trial may show that a node is back. A trial
 * is a link of its own, logged in as the proxy: a node of another cluster that listens at the
 * address would refuse the logins of clients. Not safe for several threads: one lane.
 */
final class NodeTrials {

  /** A node is tried once in this time, or more rarely if many nodes are tried. */
  private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** One trial begins in this time. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Connecting, the TLS handshake and the CQL handshake may each take the connect timeout. */
  private static final int STEPS = 3;

  /** A version that all supported nodes speak. */
  private static final int VERSION = 4;

  private final LinkOpener opener;
  private final Lane lane;
  private final Identity self;
  private final Supplier<List<Node>> nodes;
  private final BooleanSupplier ended;
  private final Queue<Node> waiting = new ArrayDeque<>();
  private long untilRound;

  /**
   * Creates an object that tries nothing yet.
   *
   * @param self the identity of the proxy at nodes
   * @param nodes returns the nodes to try; called on the lane
   * @param ended whether the trials are over
   */
  NodeTrials(
      LinkOpener opener,
      Lane lane,
      Identity self,
      Supplier<List<Node>> nodes,
      BooleanSupplier ended) {
    this.opener = opener;
    this.lane = lane;
    this.self = self;
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
        long longest = STEPS * opener.config().connectTimeout().toNanos() + PAUSE_NANOS;
        untilRound = Math.max(ROUND_NANOS, longest);
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

  /** Tries a node, which becomes usable when the link is ready. A failure changes nothing. */
  void attempt(Node node) {
    opener.openReady(
        lane,
        node,
        new LinkKey(self, VERSION, null),
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            link.close("the node was only tried");
          }

          @Override
          public void failed(LinkFailure failure) {
            // The node stays as it is.
          }
        });
  }
}
