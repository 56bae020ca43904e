package io.sluice.link;

import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The signs of life of one node, as the links of all lanes see them. The node is suspect only when
 * no link hears it. A single failed connection says nothing about a node that answers on another.
 * Safe for any thread.
 */
final class NodePulse {

  /** The resolution of {@link #lastHeard}, so that lanes do not write it for each read. */
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

  /**
   * Counts a link that is ready for requests. Publishes the state even if it has not changed,
   * because the cluster may report the node down.
   */
  void opened() {
    links.incrementAndGet();
    publish();
  }

  /** Counts the end of a link that was ready. */
  void closed() {
    links.decrementAndGet();
  }

  /** Notes that bytes from the node have arrived on a link. */
  void heard(long now) {
    if (now - lastHeard >= RESOLUTION_NANOS) {
      lastHeard = now;
    }
    if (suspect.get()) {
      suspect.set(false);
      publish();
    }
  }

  /** Makes idle links probe the node too, because a link with requests in flight hears nothing. */
  void doubted() {
    if (!wasHeardWithin(config.probeAfter().toNanos())) {
      doubts.incrementAndGet();
    }
  }

  /** Returns a number that changes whenever idle links have to probe the node. */
  int doubts() {
    return doubts.get();
  }

  /** Notes that a probed link has heard nothing for {@link LinkConfig#suspectAfter}. */
  void silent() {
    if (!wasHeardWithin(config.suspectAfter().toNanos())) {
      suspect.set(true);
      publish();
      if (wasHeardWithin(config.suspectAfter().toNanos())) {
        heard(lastHeard);
      }
    }
  }

  /** Notes that a connection to the node could not be opened or used. */
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

  /**
   * Publishes the state. The last published state is the current one, whichever thread has changed
   * it.
   */
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

  /** Takes the right to reconnect to a suspect node. Only one slot has this right at a time. */
  boolean takeRetry() {
    return suspect.get() && retrying.compareAndSet(false, true);
  }

  /** Returns the right that {@link #takeRetry} has taken. */
  void giveRetryBack() {
    retrying.set(false);
  }
}
