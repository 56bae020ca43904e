package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places for client connections. Connections of one address that have not logged in take at
 * most half of the places that others leave, but always one: silent sockets of one address keep no
 * other address out. A connection that has logged in keeps its place. Safe for any thread.
 */
final class Places {

  private final int total;

  @GuardedBy("this")
  private int taken;

  /** Places of connections before their login, by address; no entry is 0. */
  @GuardedBy("this")
  private final Map<String, Integer> loggingIn = new HashMap<>();

  Places(int total) {
    this.total = total;
  }

  /** A place before login, or null when there is none for this address. */
  synchronized @Nullable Place take(String address) {
    int own = loggingIn.getOrDefault(address, 0);
    int free = total - taken;
    if (free == 0 || own + 1 > Math.max(1, (free + own) / 2)) {
      return null;
    }
    taken++;
    loggingIn.put(address, own + 1);
    return new Place(address);
  }

  private synchronized void loggedIn(String address) {
    loggingIn.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
  }

  private synchronized void leave() {
    taken--;
  }

  /** One connection's place. Used by one thread at a time. */
  final class Place {

    private @Nullable String address;

    private Place(String address) {
      this.address = address;
    }

    /** The connection has logged in: it no longer counts against its address. */
    void loggedIn() {
      if (address != null) {
        Places.this.loggedIn(address);
        address = null;
      }
    }

    /** Gives the place back; once. */
    void leave() {
      loggedIn();
      Places.this.leave();
    }
  }
}
