package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.fleet.PeerWatch.Heartbeats;
import io.sluice.time.NanoClock;
import io.sluice.time.Repeated;
import io.sluice.time.SystemTime;
import io.sluice.watch.FleetTables.FleetTable;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes this proxy's heartbeat and reads those of the others, twice a second. {@link Membership}
 * interprets them. Nothing waits for a write or a read, of which several may be in flight at once.
 * Safe for any thread.
 */
final class MemberWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemberWatch.class);

  private static final Duration BEAT_EVERY = Duration.ofMillis(500);
  private static final int MAX_READS_IN_FLIGHT = 4;

  /**
   * The listeners of a watch.
   *
   * @param alive receives all other proxies that are alive, at each change
   * @param homes receives the home proxies, at each change; null when this proxy is no home
   * @param heartbeats the texts of the heartbeats
   */
  record Listeners(
      Consumer<Set<InetSocketAddress>> alive,
      Homes.@Nullable Listener homes,
      Heartbeats heartbeats) {}

  private final UUID self;
  private final FleetTable table;
  private final NanoClock clock;
  private final Heartbeats heartbeats;

  @GuardedBy("this")
  private final Membership membership;

  @GuardedBy("this")
  private final HeartbeatWriter writer;

  @GuardedBy("this")
  private final MembershipReports reports;

  @GuardedBy("this")
  private boolean readFirst = true;

  @GuardedBy("this")
  private int reads;

  @GuardedBy("this")
  private boolean ended;

  private @Nullable Repeated beating;

  /**
   * Creates a watch. {@link #begin} starts its rounds.
   *
   * @param self this process
   * @param address where clients reach it
   * @param start the wall clock's time now
   * @param listeners the receivers of changes
   */
  MemberWatch(
      UUID self,
      InetSocketAddress address,
      FleetTable table,
      NanoClock clock,
      Instant start,
      Listeners listeners) {
    UUID secret = listeners.homes() == null ? null : UUID.randomUUID();
    long now = clock.nanoTime();
    this.self = self;
    this.table = table;
    this.clock = clock;
    this.heartbeats = listeners.heartbeats();
    this.membership = new Membership(self, address, now);
    this.writer = new HeartbeatWriter(table, self, address, secret, start, now);
    this.reports =
        new MembershipReports(
            self, secret, FleetConfig.text(address), listeners.alive(), listeners.homes());
  }

  /** Starts a watch on its own thread. It runs until {@link #leave} or {@link #close}. */
  static MemberWatch begin(InetSocketAddress address, FleetTable table, Listeners listeners) {
    SystemTime time = new SystemTime();
    MemberWatch watch =
        new MemberWatch(UUID.randomUUID(), address, table, time, time.now(), listeners);
    watch.beating = Repeated.begin("fleet", Duration.ZERO, BEAT_EVERY, watch::round);
    return watch;
  }

  /** Makes this proxy a home at once; see {@link PeerWatch#serves}. */
  synchronized void serves() {
    if (!ended) {
      writer.serves();
      beat();
    }
  }

  /** Writes one heartbeat and reads those of the others. */
  void round() {
    int alone = runRound();
    if (alone > 0) {
      heartbeats.othersUnreachable(alone);
    }
  }

  /**
   * Runs a round. Returns the number of members that were seen last when the table cannot be used,
   * else 0.
   */
  private synchronized int runRound() {
    if (ended) {
      return 0;
    }
    // Coordinators take turns. With a fixed order, all writes could go to one of two.
    readFirst = !readFirst;
    if (readFirst) {
      look();
      beat();
    } else {
      beat();
      look();
    }
    membership.passed(clock.nanoTime());
    reports.report(membership);
    return membership.state() == Membership.State.ALONE ? 1 + membership.alive().size() : 0;
  }

  @GuardedBy("this")
  private void beat() {
    CompletionStage<?> written = writer.write(heartbeats::text, clock.nanoTime());
    if (written != null) {
      written.whenComplete((done, error) -> onWritten(error));
    }
  }

  @GuardedBy("this")
  private void look() {
    if (reads < MAX_READS_IN_FLIGHT) {
      reads++;
      table.read().whenComplete(this::read);
    }
  }

  private synchronized void onWritten(@Nullable Throwable error) {
    writer.ended();
    noteFailure(error);
  }

  private void read(@Nullable List<FleetTable.Row> rows, @Nullable Throwable error) {
    Heartbeats.Look look = look(rows, error);
    if (look != null) {
      heartbeats.received(look);
    }
  }

  private synchronized Heartbeats.@Nullable Look look(
      @Nullable List<FleetTable.Row> rows, @Nullable Throwable error) {
    reads--;
    noteFailure(error);
    if (rows == null || ended) {
      return null;
    }
    membership.read(rows, clock.nanoTime());
    reports.report(membership);
    return membership.state() == Membership.State.TOGETHER
        ? new Heartbeats.Look(self, membership.ownBeat(), membership.texts())
        : null;
  }

  @GuardedBy("this")
  private void noteFailure(@Nullable Throwable error) {
    if (error != null) {
      reports.failed(error);
    }
  }

  synchronized PeerWatch.Facts facts() {
    return new PeerWatch.Facts(
        1 + membership.alive().size(),
        membership.state() == Membership.State.ALONE,
        membership.duplicates().size());
  }

  /** Writes the row that says that this proxy leaves; see {@link PeerWatch#leave}. */
  void leave(Duration atMost) throws InterruptedException {
    LastWrite last = new LastWrite();
    synchronized (this) {
      if (ended) {
        return;
      }
      close();
      writer
          .leave(clock.nanoTime())
          .whenComplete((done, error) -> last.outcome = error == null ? "" : error.toString());
    }
    boolean answered = new SystemTime().await(() -> last.outcome != null, atMost);
    String failure = answered ? last.outcome : "no answer within " + atMost.toMillis() + " ms";
    if (failure != null && !failure.isEmpty()) {
      LOG.warn(
          "Cannot write to the keyspace of the fleet that this proxy leaves ({}); the others will"
              + " drop it when its heartbeats are missing",
          failure);
    }
  }

  private static final class LastWrite {

    /** The failure, empty after a success; null before the end. */
    private volatile @Nullable String outcome;
  }

  @Override
  public synchronized void close() {
    ended = true;
    Repeated begun = beating;
    if (begun != null) {
      begun.close();
    }
  }
}
