package io.sluice.accept;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The connections that are logged in, by the family of their driver. Safe for any thread. */
final class DriverCounts {

  private final Map<DriverFamily, LongAdder> counts = new EnumMap<>(DriverFamily.class);

  DriverCounts() {
    for (DriverFamily each : DriverFamily.values()) {
      counts.put(each, new LongAdder());
    }
  }

  void opened(DriverFamily family) {
    add(family, 1);
  }

  void closed(DriverFamily family) {
    add(family, -1);
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
