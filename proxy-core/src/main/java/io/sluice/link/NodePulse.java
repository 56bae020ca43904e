package io.sluice.link;

import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tracks what the links of all lanes hear of one node. The node is suspect only when no link to it
 * hears anything: a connection that fails says nothing of a node that answers on another. Safe for
 * any thread.
 */
final class NodePulse {

  /** Times closer together are not told apart, so that lanes do not write for each read. */
  private static final long RESOLUTION_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final NodeId node;
  private final LinkConfig config;
  private final NanoClock clock;
  private final SuspectListener listener;
  private final AtomicInteger links = new AtomicInteger();
  private final AtomicInteger doubts = new AtomicInteger();
  private final AtomicBoolean suspect = new AtomicBoolean();
  private final AtomicBoolean retrying = new AtomicBoolean();
  private volatile long lastHeard;

  NodePulse(NodeId node, LinkConfig config, NanoClock clock, SuspectListener listener) {
    this.node = node;
    this.config = config;
    this.clock = clock;
    this.listener = listener;
    this.lastHeard = clock.nanoTime() - config.suspectAfter().toNanos() - 1;
  }

  NodeId node() {
    return node;
  }

  /** A link is ready for requests. */
  void opened() {
    links.incrementAndGet();
  }

  /** A link that was ready is closed. */
  void closed() {
    links.decrementAndGet();
  }

  /** Bytes of the node have arrived on a link. */
  void heard(long now) {
    if (now - lastHeard >= RESOLUTION_NANOS) {
      lastHeard = now;
    }
    if (suspect.get()) {
      suspect.set(false);
      publish();
    }
  }

  /** A link with requests under way hears nothing yet: the idle links are to ask the node, too. */
  void doubted() {
    if (!wasHeardWithin(config.probeAfter().toNanos())) {
      doubts.incrementAndGet();
    }
  }

  /** Changes whenever idle links have to ask the node for a sign of life. */
  int doubts() {
    return doubts.get();
  }

  /** A probed link has heard nothing for {@link LinkConfig#suspectAfter}. */
  void silent() {
    if (!wasHeardWithin(config.suspectAfter().toNanos())) {
      suspect.set(true);
      publish();
      if (wasHeardWithin(config.suspectAfter().toNanos())) {
        heard(lastHeard);
      }
    }
  }

  /** A connection to the node could not be made, or not be used. */
  void unreachable() {
    if (links.get() == 0) {
      silent();
    } else {
      doubted();
    }
  }

  private boolean wasHeardWithin(long nanos) {
    return clock.nanoTime() - lastHeard <= nanos;
  }

  /** The last state that is told is the state that holds, whichever thread changed it. */
  private void publish() {
    boolean told;
    do {
      told = suspect.get();
      listener.suspect(node, told);
    } while (told != suspect.get());
  }

  boolean isSuspect() {
    return suspect.get();
  }

  /** Takes the right to look whether a suspect node is back; one slot at a time has it. */
  boolean takeRetry() {
    return suspect.get() && retrying.compareAndSet(false, true);
  }

  /** Gives the right of {@link #takeRetry} back. */
  void giveRetryBack() {
    retrying.set(false);
  }
}
