package io.sluice.fleet;

import io.sluice.watch.FleetTables.FleetTable.Row;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that are alive, derived from consecutive reads of the table of heartbeats.
 *
 * <p>A proxy is alive when its heartbeat is seen to change. A proxy with only an old row was never
 * alive. A proxy is dead when its heartbeat has not changed for three seconds of trusted reads.
 * Reads are trusted while they show any new heartbeat, even if the table takes none from this
 * proxy; otherwise the silence of others says nothing. All times are of this proxy's clock. A row
 * that says that its proxy leaves counts at once. A missing row is silence: a coordinator whose
 * clock is wrong leaves out all rows. Not safe for several threads.
 */
final class Membership {

  /** A proxy that is silent for this long, in ns, is dead. */
  static final long DEAD_AFTER = TimeUnit.SECONDS.toNanos(3);

  /**
   * Maximum time between two reads that counts as silence, in ns. A longer time was a pause of this
   * proxy.
   */
  static final long LONGEST_STEP = TimeUnit.SECONDS.toNanos(1);

  /** The table is not trusted when no heartbeat has changed in it for this long, in ns. */
  static final long TRUSTED_FOR = TimeUnit.MILLISECONDS.toNanos(1_500);

  /** The knowledge of this proxy about the table. */
  enum State {
    /** The table was not read yet. */
    STARTING,
    /** The table can be read and written. */
    TOGETHER,
    /** The table cannot be used. The members that it showed last are assumed to be still there. */
    ALONE
  }

  private static final class Member {
    private InetSocketAddress address;
    private @Nullable UUID secret;
    private String text;
    private long beat;
    private long silence;
    private boolean alive;

    Member(Row row) {
      this.address = row.address();
      this.secret = row.secret();
      this.text = row.demand();
      this.beat = row.beat();
      this.silence = row.isDeparture() ? DEAD_AFTER : 0;
    }

    /**
     * Updates the member from its row, {@code step} ns after the last read.
     *
     * @param row null when the read has none of this member
     */
    void read(@Nullable Row row, long step) {
      if (row == null || row.beat() <= beat) {
        silence += step;
        alive &= !isDead();
        return;
      }
      beat = row.beat();
      alive = !row.isDeparture();
      silence = alive ? 0 : DEAD_AFTER;
      address = row.address();
      secret = row.secret();
      text = row.demand();
    }

    /** Whether the member is silent for too long, or has left. */
    boolean isDead() {
      return silence >= DEAD_AFTER;
    }
  }

  private final UUID self;
  private final InetSocketAddress address;
  private final Map<UUID, Member> others = new HashMap<>();
  private State state = State.STARTING;
  private long ownBeat;
  private long ownChanged;
  private long anyChanged;
  private @Nullable Long lastRead;

  /**
   * Creates a membership. {@code self} and {@code address} are in this proxy's own row, {@code now}
   * is the time.
   */
  Membership(UUID self, InetSocketAddress address, long now) {
    this.self = self;
    this.address = address;
    this.ownChanged = now;
    this.anyChanged = now;
  }

  /** Updates the members from a read of the table. */
  void read(List<Row> rows, long now) {
    long since = lastRead == null ? 0 : now - lastRead;
    lastRead = now;
    Map<UUID, Row> read = new HashMap<>();
    rows.forEach(row -> read.put(row.instance(), row));
    Row own = read.remove(self);
    if (own != null && own.beat() > ownBeat) {
      ownBeat = own.beat();
      ownChanged = now;
      anyChanged = now;
      state = State.TOGETHER;
    }
    if (read.values().stream().anyMatch(this::isNew)) {
      anyChanged = now;
    }
    long step = now - anyChanged < TRUSTED_FOR ? Math.min(since, LONGEST_STEP) : 0;
    others.forEach((instance, known) -> known.read(read.get(instance), step));
    read.forEach((instance, row) -> others.computeIfAbsent(instance, any -> new Member(row)));
    others
        .entrySet()
        .removeIf(each -> each.getValue().isDead() && !read.containsKey(each.getKey()));
    passed(now);
  }

  /** Whether the row has a later heartbeat than the last row that was read of its proxy. */
  private boolean isNew(Row row) {
    Member known = others.get(row.instance());
    return known != null && row.beat() > known.beat;
  }

  /** Updates the state for the time, whether or not the table was read. */
  void passed(long now) {
    if (now - ownChanged >= DEAD_AFTER) {
      state = State.ALONE;
    }
  }

  State state() {
    return state;
  }

  /** Returns the addresses of the other proxies that are alive. */
  Set<InetSocketAddress> alive() {
    Set<InetSocketAddress> alive = new HashSet<>();
    for (Member each : others.values()) {
      if (each.alive && !each.address.equals(address)) {
        alive.add(each.address);
      }
    }
    return alive;
  }

  /** Returns the number of this proxy's own heartbeat that was read last; 0 for none. */
  long ownBeat() {
    return ownBeat;
  }

  /** Returns the texts of the other proxies that are alive or may be. */
  Map<UUID, String> texts() {
    Map<UUID, String> texts = new HashMap<>();
    others.forEach(
        (instance, each) -> {
          if (!each.isDead()) {
            texts.put(instance, each.text);
          }
        });
    return texts;
  }

  /**
   * Returns the other proxies that are alive and are homes of nodes. Two at one address are none:
   * one takes the port over from the other, and it is not known which of them serves.
   */
  List<Homes.Home> homes() {
    List<Homes.Home> homes = new ArrayList<>();
    others.forEach(
        (instance, each) -> {
          UUID secret = each.secret;
          if (each.alive && secret != null && isAlone(each.address)) {
            homes.add(new Homes.Home(instance, each.address, secret));
          }
        });
    return homes;
  }

  /** Whether only one living process has the address, and it is not this proxy's own. */
  private boolean isAlone(InetSocketAddress other) {
    return !other.equals(address)
        && others.values().stream()
                .filter(each -> each.alive && each.address.equals(other))
                .limit(2)
                .count()
            == 1;
  }

  /** Returns living processes with this proxy's own address, which is a configuration error. */
  Set<UUID> duplicates() {
    return others.entrySet().stream()
        .filter(each -> each.getValue().alive && each.getValue().address.equals(address))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }
}
