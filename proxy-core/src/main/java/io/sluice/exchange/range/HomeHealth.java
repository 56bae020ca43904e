package io.sluice.exchange.range;

import io.sluice.fleet.HomeChoice;
import io.sluice.link.SuspectListener;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import io.sluice.wire.ForwardedPiece;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The health of the home proxies: which are silent, which have answered like a plain node, for
 * which nodes they are late, and how long the wait at their nodes is. Safe for any thread.
 */
final class HomeHealth implements SuspectListener {

  /** How long a proxy gets no piece after an answer that no home proxy gives. */
  static final long SHUN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * How long a silent home gets no piece. Then one piece tries it: links reconnect by themselves
   * for some minutes only, so later no other byte would show that the home is back.
   */
  static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How long a reported wait is valid. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Report(double waitMicros, long nanos) {}

  private final NanoClock clock;

  /** The silent homes, each with the time of the last sign of its silence or the last try. */
  private final Map<UUID, Long> silent = new ConcurrentHashMap<>();

  private final Map<UUID, Long> shunned = new ConcurrentHashMap<>();

  private final LateHomes late;
  private final Map<NodeId, Report> reports = new ConcurrentHashMap<>();

  /** Creates a state in which all homes are usable. */
  HomeHealth(NanoClock clock) {
    this.clock = clock;
    this.late = new LateHomes(clock);
  }

  /**
   * Records whether the links receive data from a home. The home's host id is the id of its
   * process.
   */
  @Override
  public void suspect(NodeId home, boolean suspect) {
    if (suspect) {
      silent.put(home.hostId(), clock.nanoTime());
    } else {
      silent.remove(home.hostId());
    }
  }

  /** Excludes a proxy for a while whose answer was not that of a home. */
  void shun(UUID home) {
    shunned.put(home, clock.nanoTime());
  }

  /**
   * Records that a piece is sent to a home. If it is silent, or was late, others wait for the
   * outcome.
   *
   * @param givenNanos the time within which the home must answer
   */
  void tried(HomeChoice.Away to, long givenNanos) {
    silent.computeIfPresent(to.home().instance(), (same, since) -> clock.nanoTime());
    late.tried(to.node(), givenNanos);
  }

  /** Records that the home of a node has not answered within the time that it was given. */
  void late(NodeId node, long givenNanos) {
    late.late(node, givenNanos);
  }

  /** Whether a home can get pieces now. */
  boolean isUsable(UUID home) {
    Long since = shunned.get(home);
    if (since != null && clock.nanoTime() - since >= SHUN_NANOS) {
      shunned.remove(home, since);
      since = null;
    }
    Long quiet = silent.get(home);
    return since == null && (quiet == null || clock.nanoTime() - quiet >= SILENT_NANOS);
  }

  /**
   * Whether the home of a node is expected to answer within a time: by the backlog of the node, and
   * unless it was late a moment ago with as much time.
   */
  boolean answersWithin(NodeId node, long nanos) {
    return !late.wasLate(node, nanos)
        && TimeUnit.MICROSECONDS.toNanos((long) waitMicros(node)) <= nanos;
  }

  /**
   * Records an answer of a node's home within the time that it was given, and the backlog of the
   * node that it reports.
   */
  void answered(NodeId node, long givenNanos, ForwardedPiece.Receipt receipt) {
    late.inTime(node, givenNanos);
    reports.put(node, new Report(receipt.backlogMicros(), clock.nanoTime()));
  }

  /**
   * Returns the wait at a node in microseconds, by the last report of a home; 0 without a recent
   * one.
   */
  double waitMicros(NodeId node) {
    Report last = reports.get(node);
    return last == null || clock.nanoTime() - last.nanos() > FRESH_NANOS ? 0 : last.waitMicros();
  }
}
