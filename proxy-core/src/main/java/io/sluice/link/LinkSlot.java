package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.memory.OutOfMemory;
import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slot of one link: empty, connecting, or open. After a failure the slot pauses, and then
 * reconnects by itself only while its node is suspect. Not safe for several threads: one lane.
 */
final class LinkSlot {

  private static final Logger LOG = LoggerFactory.getLogger(LinkSlot.class);

  private final LinkOpener opener;
  private final Lane lane;
  private final LinkKey key;
  private final NodePulse pulse;
  private final Backoff backoff;
  private Node node;
  private @Nullable Link link;
  private @Nullable LinkFailure lastFailure;
  private List<LinkWaiter> waiters = new ArrayList<>();

  /** Calls {@link #silent} after a while; null unless a connection is being opened. */
  private Timer.@Nullable Timeout silence;

  private boolean retrying;
  private boolean closed;

  LinkSlot(LinkOpener opener, Lane lane, Node node, LinkKey key) {
    this.opener = opener;
    this.lane = lane;
    this.node = node;
    this.key = key;
    this.pulse = opener.pulse(node.id());
    this.backoff = new Backoff(lane, this::pauseEnded);
  }

  void acquire(Node current, LinkWaiter waiter) {
    node = current;
    Link ready = link;
    if (ready != null && ready.isOpen()) {
      waiter.ready(ready);
      return;
    }
    LinkFailure failure = lastFailure;
    if (backoff.isPaused() && failure != null) {
      lane.execute(() -> waiter.failed(failure));
      return;
    }
    waiters.add(waiter);
    connect();
  }

  private void connect() {
    if (isConnecting() || closed) {
      return;
    }
    watchSilence();
    opener.openReady(
        lane,
        node,
        key,
        new LinkWaiter() {
          @Override
          public void ready(Link opened) {
            filled(opened);
          }

          @Override
          public void failed(LinkFailure failure) {
            stillEmpty(failure);
          }
        });
  }

  private boolean isConnecting() {
    return silence != null;
  }

  private void watchSilence() {
    silence = lane.schedule(opener.config().suspectAfter().toNanos(), this::silent);
  }

  /**
   * Handles a connection that is neither refused nor accepted in time. Waiting and later requests
   * fail over where they can.
   */
  private void silent() {
    watchSilence();
    pulse.unreachable();
    tell(List.copyOf(waiters), LinkWaiter::silent);
  }

  private void connectingEnded() {
    if (silence != null) {
      silence.cancel();
      silence = null;
    }
    if (retrying) {
      retrying = false;
      pulse.giveRetryBack();
    }
  }

  private void filled(Link opened) {
    connectingEnded();
    link = opened;
    if (closed) {
      opened.close("Sluice is stopping");
    }
    if (backoff.succeeded()) {
      LOG.info("Connected to {} again as {}", node.address(), key.identity());
    }
    tell(takeWaiters(), waiter -> waiter.ready(opened));
  }

  private void stillEmpty(LinkFailure failure) {
    connectingEnded();
    link = null;
    lastFailure = failure;
    if (!failure.refused()) {
      if (backoff.failed()) {
        LOG.warn("No link to {}: {}", node.address(), failure.message());
      }
      if (failure.errorCode() < 0) {
        pulse.unreachable();
      }
      if (!closed) {
        backoff.pause();
      }
    }
    List<LinkWaiter> told = takeWaiters();
    if (!told.isEmpty()) {
      lane.execute(() -> tell(told, waiter -> waiter.failed(failure)));
    }
  }

  private List<LinkWaiter> takeWaiters() {
    List<LinkWaiter> taken = waiters;
    waiters = new ArrayList<>();
    return taken;
  }

  /** Calls each waiter, even if another one throws. */
  private static void tell(List<LinkWaiter> waiters, Consumer<LinkWaiter> what) {
    for (LinkWaiter waiter : waiters) {
      try {
        what.accept(waiter);
      } catch (Throwable e) {
        OutOfMemory.handOn(e);
        LOG.error("Cannot handle the outcome of opening a link", e);
      }
    }
  }

  private void pauseEnded() {
    if (pulse.isSuspect() && !backoff.isHopeless()) {
      retry();
    }
  }

  /**
   * Reconnects to a suspect node. Requests avoid that node, so only a new link shows that it is
   * back.
   */
  private void retry() {
    if (isConnecting() || closed) {
      return;
    }
    retrying = pulse.takeRetry();
    if (retrying) {
      connect();
    } else if (pulse.isSuspect()) {
      backoff.failed();
      backoff.pause();
    }
  }

  void tick() {
    Link current = link;
    if (current == null) {
      return;
    }
    current.checkSilence();
    if (!current.isOpen()) {
      link = null;
      if (pulse.isSuspect()) {
        retry();
      }
    }
  }

  boolean isOpen() {
    return link != null && link.isOpen();
  }

  /** Whether this slot can be forgotten. */
  boolean isUnused() {
    return !isOpen() && !isConnecting() && !backoff.isPaused() && waiters.isEmpty();
  }

  /** Whether the slot's link is open and has no request in flight. */
  boolean isIdle() {
    Link current = link;
    return current != null && current.isOpen() && current.isIdle() && waiters.isEmpty();
  }

  /**
   * Returns a snapshot of this slot.
   *
   * @param laneNumber the number of the slot's lane
   */
  LinkFacts facts(int laneNumber) {
    Link open = link != null && link.isOpen() ? link : null;
    return new LinkFacts(
        node.address(),
        key.identity().role(),
        key.keyspace(),
        key.version(),
        laneNumber,
        state(open),
        open == null ? 0 : open.waiting(),
        open == null ? -1 : open.ageNanos());
  }

  private LinkFacts.State state(@Nullable Link open) {
    if (open != null) {
      return LinkFacts.State.OPEN;
    } else if (isConnecting()) {
      return LinkFacts.State.CONNECTING;
    }
    return backoff.isPaused() ? LinkFacts.State.PAUSING : LinkFacts.State.CLOSED;
  }

  void close(String reason) {
    closed = true;
    connectingEnded();
    if (link != null) {
      link.close(reason);
    }
    tell(takeWaiters(), waiter -> waiter.failed(LinkFailure.unreachable(reason)));
  }
}
