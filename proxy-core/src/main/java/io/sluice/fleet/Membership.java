package io.sluice.fleet;

import io.sluice.watch.FleetTable.Row;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that are alive, by the rows of their table as they are read one after another.
 *
 * <p>A proxy is alive when its heartbeat is seen to change; one of which only an old row is there
 * never was. It is dead when its heartbeat did not change for three seconds in which the table was
 * read and took this proxy's own heartbeats: as long as it does not, the silence of others says
 * nothing. All times are of this proxy's clock. A row that is deleted means at once that its proxy
 * has left, unless rows may have expired since the last look. Not safe for several threads.
 */
final class Membership {

  /** A proxy that is silent for so long is dead. */
  static final long DEAD_AFTER = TimeUnit.SECONDS.toNanos(3);

  /** Of the time between two reads no more counts as silence; more was this proxy's own pause. */
  static final long LONGEST_STEP = TimeUnit.SECONDS.toNanos(1);

  /** After so long without its own heartbeat's change the table is not trusted. */
  static final long TRUSTED_FOR = TimeUnit.MILLISECONDS.toNanos(1_500);

  /** Rows that were there are not expired yet after so long. */
  static final long ROWS_LAST = TimeUnit.SECONDS.toNanos(20);

  /** What a proxy knows of the others' fate. */
  enum State {
    /** Nothing yet. */
    STARTING,
    /** The table can be read and written. */
    TOGETHER,
    /** It cannot: whom it last showed are taken to be there still. */
    ALONE
  }

  private static final class Member {
    private InetSocketAddress address;
    private @Nullable UUID secret;
    private String said;
    private long beat;
    private long silence;
    private boolean alive;

    Member(Row row) {
      this.address = row.address();
      this.secret = row.secret();
      this.said = row.demand();
      this.beat = row.beat();
    }

    /** The row was read again, this much later. */
    void seen(Row row, long step) {
      if (row.beat() > beat) {
        beat = row.beat();
        address = row.address();
        secret = row.secret();
        said = row.demand();
        silence = 0;
        alive = true;
      } else {
        silent(step);
      }
    }

    void silent(long step) {
      silence += step;
      alive &= silence < DEAD_AFTER;
    }
  }

  private final UUID self;
  private final InetSocketAddress address;
  private final Map<UUID, Member> others = new HashMap<>();
  private State state = State.STARTING;
  private long ownBeat;
  private long ownChanged;
  private @Nullable Long lastRead;

  /** What this proxy's row says, and the time now. */
  Membership(UUID self, InetSocketAddress address, long now) {
    this.self = self;
    this.address = address;
    this.ownChanged = now;
  }

  /** The table was read. */
  void read(List<Row> rows, long now) {
    long since = lastRead == null ? 0 : now - lastRead;
    lastRead = now;
    Map<UUID, Row> read = new HashMap<>();
    rows.forEach(row -> read.put(row.instance(), row));
    Row own = read.remove(self);
    if (own != null && own.beat() > ownBeat) {
      ownBeat = own.beat();
      ownChanged = now;
      state = State.TOGETHER;
    }
    boolean trusted = state == State.TOGETHER && now - ownChanged < TRUSTED_FOR;
    long step = trusted ? Math.min(since, LONGEST_STEP) : 0;
    missing(read.keySet(), trusted && since < ROWS_LAST, step);
    read.forEach(
        (instance, row) -> {
          Member known = others.get(instance);
          if (known == null) {
            others.put(instance, new Member(row));
          } else {
            known.seen(row, step);
          }
        });
    passed(now);
  }

  private void missing(Set<UUID> read, boolean deleted, long step) {
    for (Iterator<Map.Entry<UUID, Member>> each = others.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<UUID, Member> known = each.next();
      if (!read.contains(known.getKey())) {
        known.getValue().silent(step);
        if (deleted || !known.getValue().alive) {
          each.remove();
        }
      }
    }
  }

  /** Time has passed, whether the table was read or not. */
  void passed(long now) {
    if (now - ownChanged >= DEAD_AFTER) {
      state = State.ALONE;
    }
  }

  State state() {
    return state;
  }

  /** The addresses of the others that are alive. */
  Set<InetSocketAddress> alive() {
    Set<InetSocketAddress> alive = new HashSet<>();
    for (Member each : others.values()) {
      if (each.alive && !each.address.equals(address)) {
        alive.add(each.address);
      }
    }
    return alive;
  }

  /** The number of this proxy's own heartbeat that was read last; 0 for none. */
  long ownBeat() {
    return ownBeat;
  }

  /** What others say that are alive, or may be. */
  Map<UUID, String> said() {
    Map<UUID, String> said = new HashMap<>();
    others.forEach(
        (instance, each) -> {
          if (each.silence < DEAD_AFTER) {
            said.put(instance, each.said);
          }
        });
    return said;
  }

  /** The others that are alive and homes of nodes. */
  List<Homes.Home> homes() {
    List<Homes.Home> homes = new ArrayList<>();
    others.forEach(
        (instance, each) -> {
          UUID secret = each.secret;
          if (each.alive && secret != null && !each.address.equals(address)) {
            homes.add(new Homes.Home(instance, each.address, secret));
          }
        });
    return homes;
  }

  /** Living processes with this one's own address, which is a mistake of the configuration. */
  Set<UUID> doubles() {
    return others.entrySet().stream()
        .filter(each -> each.getValue().alive && each.getValue().address.equals(address))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }
}
