package io.sluice.fleet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.time.NanoClock;
import io.sluice.time.Repeated;
import io.sluice.time.SystemTime;
import io.sluice.watch.FleetTable;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes this proxy's heartbeat twice a second and reads those of the others as often; {@link
 * Membership} decides what that means. Nothing waits for a write or a read: a few may be under way
 * at once, so that a coordinator that hangs does not silence this proxy. Safe for any thread.
 */
final class MemberWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MemberWatch.class);

  private static final Duration BEAT_EVERY = Duration.ofMillis(500);
  private static final int MOST_UNDER_WAY = 4;

  /**
   * The listeners of a watch.
   *
   * @param alive told of all other proxies that are alive, each time these change
   * @param homes told of the proxies that are homes of nodes, in the same way; null where this one
   *     is none
   * @param heartbeats what is said with them
   */
  record Listeners(
      Consumer<Set<InetSocketAddress>> alive,
      @Nullable Consumer<Homes> homes,
      Heartbeats heartbeats) {}

  private final UUID self;
  private final @Nullable UUID secret;
  private final InetSocketAddress address;
  private final FleetTable table;
  private final NanoClock clock;
  private final Listeners listeners;
  private final long startNanos;
  private final long startMicros;

  @GuardedBy("this")
  private final Membership membership;

  @GuardedBy("this")
  private final Set<UUID> toldDoubles = new HashSet<>();

  @GuardedBy("this")
  private Membership.State toldState = Membership.State.STARTING;

  @GuardedBy("this")
  private Set<InetSocketAddress> toldAlive = Set.of();

  @GuardedBy("this")
  private Homes toldHomes;

  @GuardedBy("this")
  private boolean toldOfHomes;

  @GuardedBy("this")
  private String failure = "its own heartbeat does not appear in it";

  @GuardedBy("this")
  private boolean readFirst = true;

  @GuardedBy("this")
  private long beat;

  @GuardedBy("this")
  private int writes;

  @GuardedBy("this")
  private int reads;

  @GuardedBy("this")
  private boolean ended;

  private @Nullable Repeated beating;

  /**
   * Does nothing yet.
   *
   * @param self this process
   * @param address where clients reach it
   * @param start the wall clock's time now, from which times of writes follow with {@code clock}: a
   *     wall clock that is set back later does not hide a heartbeat
   * @param listeners told what changes
   */
  MemberWatch(
      UUID self,
      InetSocketAddress address,
      FleetTable table,
      NanoClock clock,
      Instant start,
      Listeners listeners) {
    this.self = self;
    this.secret = listeners.homes() == null ? null : UUID.randomUUID();
    this.toldHomes = new Homes(self, secret, List.of());
    this.address = address;
    this.table = table;
    this.clock = clock;
    this.listeners = listeners;
    this.startNanos = clock.nanoTime();
    this.startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, start);
    this.membership = new Membership(self, address, startNanos);
  }

  /** Begins on a thread of its own; until {@link #leave} or {@link #close}. */
  static MemberWatch begin(InetSocketAddress address, FleetTable table, Listeners listeners) {
    SystemTime time = new SystemTime();
    MemberWatch watch =
        new MemberWatch(UUID.randomUUID(), address, table, time, time.now(), listeners);
    watch.beating = Repeated.begin("fleet", Duration.ZERO, BEAT_EVERY, watch::round);
    return watch;
  }

  /** One heartbeat, and one look at those of the others. */
  void round() {
    int alone = begin();
    if (alone > 0) {
      listeners.heartbeats().alone(alone);
    }
  }

  /** The members that were seen last, when they cannot be seen now; else 0. */
  private synchronized int begin() {
    if (ended) {
      return 0;
    }
    // Coordinators take turns; in the same order each time, all writes could go to one of two.
    readFirst = !readFirst;
    if (readFirst) {
      look();
      beat();
    } else {
      beat();
      look();
    }
    membership.passed(clock.nanoTime());
    tell();
    return membership.state() == Membership.State.ALONE ? 1 + membership.alive().size() : 0;
  }

  @GuardedBy("this")
  private void beat() {
    if (writes < MOST_UNDER_WAY) {
      writes++;
      beat++;
      CompletionStage<?> written =
          table.write(
              new FleetTable.Row(self, address, beat, secret, listeners.heartbeats().says(beat)),
              micros(clock.nanoTime()));
      written.whenComplete((done, error) -> wrote(error));
    }
  }

  @GuardedBy("this")
  private void look() {
    if (reads < MOST_UNDER_WAY) {
      reads++;
      table.read().whenComplete(this::read);
    }
  }

  private long micros(long nanos) {
    return startMicros + TimeUnit.NANOSECONDS.toMicros(nanos - startNanos);
  }

  private synchronized void wrote(@Nullable Throwable error) {
    writes--;
    failed(error);
  }

  private void read(@Nullable List<FleetTable.Row> rows, @Nullable Throwable error) {
    Heartbeats.Look look = look(rows, error);
    if (look != null) {
      listeners.heartbeats().seen(look);
    }
  }

  private synchronized Heartbeats.@Nullable Look look(
      @Nullable List<FleetTable.Row> rows, @Nullable Throwable error) {
    reads--;
    failed(error);
    if (rows == null || ended) {
      return null;
    }
    membership.read(rows, clock.nanoTime());
    tell();
    return membership.state() == Membership.State.TOGETHER
        ? new Heartbeats.Look(self, membership.ownBeat(), membership.said())
        : null;
  }

  @GuardedBy("this")
  private void failed(@Nullable Throwable error) {
    if (error != null) {
      failure = String.valueOf(error.getMessage());
    }
  }

  @GuardedBy("this")
  private void tell() {
    Membership.State state = membership.state();
    if (state != toldState) {
      toldState = state;
      tell(state);
    }
    for (UUID other : membership.doubles()) {
      if (toldDoubles.add(other)) {
        LOG.warn(
            "Another process has the address {} too: give each proxy a cql.advertise of its own",
            PeerList.text(address));
      }
    }
    Set<InetSocketAddress> alive = membership.alive();
    if (!alive.equals(toldAlive)) {
      toldAlive = alive;
      listeners.alive().accept(alive);
    }
    Consumer<Homes> told = listeners.homes();
    Homes homes = new Homes(self, secret, told == null ? List.of() : membership.homes());
    if (told != null && (!homes.equals(toldHomes) || !toldOfHomes)) {
      toldHomes = homes;
      toldOfHomes = true;
      told.accept(homes);
    }
  }

  @GuardedBy("this")
  private void tell(Membership.State state) {
    if (state == Membership.State.ALONE) {
      LOG.warn(
          "The keyspace of the fleet cannot be used; until then this proxy works alone, and clients"
              + " are told of the proxies that it knows: {}",
          failure);
    } else {
      LOG.info(
          "The keyspace of the fleet can be used; this proxy is {} in it", PeerList.text(address));
    }
  }

  synchronized PeerWatch.Facts facts() {
    return new PeerWatch.Facts(
        1 + membership.alive().size(),
        membership.state() == Membership.State.ALONE,
        membership.doubles().size());
  }

  /** See {@link PeerWatch#leave}. */
  void leave(Duration atMost) throws InterruptedException {
    Deletion deletion = new Deletion();
    synchronized (this) {
      if (ended) {
        return;
      }
      close();
      // One more, lest it be that of the last write.
      table
          .delete(self, micros(clock.nanoTime()) + 1)
          .whenComplete((done, error) -> deletion.done = true);
    }
    new SystemTime().await(() -> deletion.done, atMost);
  }

  private static final class Deletion {
    private volatile boolean done;
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
