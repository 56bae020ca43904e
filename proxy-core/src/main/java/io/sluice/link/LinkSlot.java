package io.sluice.link;

import io.sluice.ring.Node;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The place of one link: empty, being filled, or filled. One lane. */
final class LinkSlot {

  private static final Logger LOG = LoggerFactory.getLogger(LinkSlot.class);
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

  /**
   * After this many failures in a row nobody is waiting any more: the node may be gone for good.
   */
  private static final int GIVE_UP_AFTER = 60;

  private final LinkOpener opener;
  private final Lane lane;
  private final LinkKey key;
  private Node node;
  private @Nullable Link link;
  private @Nullable LinkFailure lastFailure;
  private List<LinkWaiter> waiters = new ArrayList<>();
  private Timer.@Nullable Timeout connecting;
  private boolean foundSilent;
  private boolean paused;
  private boolean closed;
  private int failures;

  LinkSlot(LinkOpener opener, Lane lane, Node node, LinkKey key) {
    this.opener = opener;
    this.lane = lane;
    this.node = node;
    this.key = key;
  }

  void acquire(Node current, LinkWaiter waiter) {
    node = current;
    Link ready = link;
    if (ready != null && ready.isOpen()) {
      waiter.ready(ready);
      return;
    }
    if (paused && lastFailure != null) {
      waiter.failed(lastFailure);
      return;
    }
    waiters.add(waiter);
    connect();
  }

  private void connect() {
    if (connecting != null || closed) {
      return;
    }
    connecting = lane.schedule(opener.config().suspectAfter().toNanos(), this::silent);
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

  /** Nothing refuses the connection, nobody takes it: who can go elsewhere should. */
  private void silent() {
    foundSilent = true;
    opener.suspects().suspect(node.id(), true);
    List.copyOf(waiters).forEach(LinkWaiter::silent);
  }

  private void connectingEnded() {
    foundSilent = false;
    if (connecting != null) {
      connecting.cancel();
      connecting = null;
    }
  }

  private void filled(Link opened) {
    connectingEnded();
    link = opened;
    if (closed) {
      opened.close("Sluice is stopping");
    }
    if (failures > 0) {
      failures = 0;
      LOG.info("Connected to {} again as {}", node.address(), key.identity());
    }
    opener.suspects().suspect(node.id(), false);
    takeWaiters().forEach(waiter -> waiter.ready(opened));
  }

  private void stillEmpty(LinkFailure failure) {
    boolean silentUntilNow = foundSilent;
    connectingEnded();
    link = null;
    lastFailure = failure;
    if (failure.refused() && silentUntilNow) {
      opener.suspects().suspect(node.id(), false);
    } else if (!failure.refused()) {
      if (failures++ == 0) {
        LOG.warn("No link to {}: {}", node.address(), failure.message());
      }
      opener.suspects().suspect(node.id(), true);
      pause();
    }
    takeWaiters().forEach(waiter -> waiter.failed(failure));
  }

  private List<LinkWaiter> takeWaiters() {
    List<LinkWaiter> taken = waiters;
    waiters = new ArrayList<>();
    return taken;
  }

  private void pause() {
    if (failures > GIVE_UP_AFTER || closed) {
      return;
    }
    paused = true;
    long nanos = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures, 10));
    lane.schedule(
        nanos,
        () -> {
          paused = false;
          connect();
        });
  }

  void tick() {
    Link current = link;
    if (current == null) {
      return;
    }
    current.checkSilence();
    if (!current.isOpen()) {
      link = null;
      if (current.isSuspect()) {
        // Nobody asks a suspect node: only a new link can tell that it is back.
        connect();
      }
    }
  }

  boolean isOpen() {
    return link != null && link.isOpen();
  }

  /** Whether nothing is lost by forgetting this place. */
  boolean isUnused() {
    return !isOpen() && connecting == null && !paused && waiters.isEmpty();
  }

  void close() {
    closed = true;
    connectingEnded();
    if (link != null) {
      link.close("Sluice is stopping");
    }
    takeWaiters().forEach(waiter -> waiter.failed(LinkFailure.unreachable("Sluice is stopping")));
  }
}
