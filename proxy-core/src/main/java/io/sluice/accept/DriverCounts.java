package io.sluice.accept;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts of the logged-in connections by driver family. Safe for any thread. */
final class DriverCounts {

  private final Map<DriverFamily, LongAdder> counts = new EnumMap<>(DriverFamily.class);

  DriverCounts() {
    for (DriverFamily each : DriverFamily.values()) {
      counts.put(each, new LongAdder());
    }
  }

  /** Creates a connection that does not count yet. */
  Connection connection() {
    return new Connection();
  }

  /** One connection, counted from its login to its end. Used by one thread at a time. */
  final class Connection {

    private @Nullable DriverFamily family;

    private Connection() {}

    /** Counts the connection under the driver of this name. Called once, at login. */
    void loggedIn(@Nullable String driver) {
      DriverFamily told = DriverFamily.of(driver);
      family = told;
      add(told, 1);
    }

    /** Stops counting the connection. */
    void end() {
      if (family != null) {
        add(family, -1);
        family = null;
      }
    }
  }

  private void add(DriverFamily family, int more) {
    LongAdder count = counts.get(family);
    if (count != null) {
      count.add(more);
    }
  }

  int of(DriverFamily family) {
    LongAdder count = counts.get(family);
    return count == null ? 0 : count.intValue();
  }
}
