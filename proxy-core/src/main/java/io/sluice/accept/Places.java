package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limited places for client connections. Before login, the connections of one address take at
 * most half of the places that others leave, but at least one. So silent sockets of one address
 * cannot keep other addresses out. A connection keeps its place after login. Safe for any thread.
 */
final class Places {

  private final int total;

  @GuardedBy("this")
  private int taken;

  /** Places of connections before login, by address; absent means 0. */
  @GuardedBy("this")
  private final Map<String, Integer> loggingIn = new HashMap<>();

  Places(int total) {
    this.total = total;
  }

  /** Takes a place before login. Returns null when there is none for this address. */
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

  /** The place of one connection. Used by one thread at a time. */
  final class Place {

    private @Nullable String address;

    private Place(String address) {
      this.address = address;
    }

    /** Stops counting the connection against its address, after login. */
    void loggedIn() {
      if (address != null) {
        Places.this.loggedIn(address);
        address = null;
      }
    }

    /** Gives the place back. Called once. */
    void leave() {
      loggedIn();
      Places.this.leave();
    }
  }
}
