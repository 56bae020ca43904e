package io.sluice.exchange.range;

import io.sluice.link.SuspectListener;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import io.sluice.wire.ForwardedPiece;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The state of the home proxies: which are silent, which have answered as if they were none, and
 * how long the wait was at their nodes. Safe for any thread.
 */
final class HomeHealth implements SuspectListener {

  /** So long a proxy is not asked that has answered as if it were no home. */
  static final long SHUN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** What a home told of a wait counts for so long. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Told(double waitMicros, long nanos) {}

  private final NanoClock clock;
  private final Set<UUID> silent = ConcurrentHashMap.newKeySet();
  private final Map<UUID, Long> shunned = new ConcurrentHashMap<>();
  private final Map<NodeId, Told> told = new ConcurrentHashMap<>();

  /** Knows nothing bad. */
  HomeHealth(NanoClock clock) {
    this.clock = clock;
  }

  /** Links have lost or found a home, which has the number of its process as its id. */
  @Override
  public void suspect(NodeId home, boolean suspect) {
    if (suspect) {
      silent.add(home.hostId());
    } else {
      silent.remove(home.hostId());
    }
  }

  /** It has answered as if it were no home. */
  void shun(UUID home) {
    shunned.put(home, clock.nanoTime());
  }

  /** Whether it can be asked now. */
  boolean isUsable(UUID home) {
    Long since = shunned.get(home);
    if (since != null && clock.nanoTime() - since >= SHUN_NANOS) {
      shunned.remove(home, since);
      since = null;
    }
    return since == null && !silent.contains(home);
  }

  /** A home has told with an answer how much work is left at a node. */
  void told(NodeId node, ForwardedPiece.Receipt receipt) {
    told.put(node, new Told(receipt.backlogMicros(), clock.nanoTime()));
  }

  /** How long the wait was at a node, as a home told of late; 0 when none did. */
  double waitMicros(NodeId node) {
    Told last = told.get(node);
    return last == null || clock.nanoTime() - last.nanos() > FRESH_NANOS ? 0 : last.waitMicros();
  }
}
