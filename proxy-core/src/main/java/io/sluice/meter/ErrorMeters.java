package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.wire.ErrorCode;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The counts of the errors with which requests ended, by origin. Safe for any thread. */
final class ErrorMeters {

  /** An error code that is not in the protocol's specification. */
  private static final int UNKNOWN = -1;

  /** The errors of requests for which the proxy has a fault. */
  private static final Set<Integer> OF_FAULTS =
      Set.of(ErrorCode.SERVER_ERROR, ErrorCode.WRITE_TIMEOUT, ErrorCode.TRUNCATE_ERROR);

  /** The origin of an error. */
  enum Origin {
    /** The response of a node. */
    NODE,
    /** Sluice, deliberately: a refusal, a timeout, or no reachable node. */
    PROXY,
    /** A fault of Sluice. */
    FAULT
  }

  private final Map<Origin, Map<Integer, Counter>> counters = new EnumMap<>(Origin.class);

  ErrorMeters(MeterRegistry registry) {
    for (Origin origin : Origin.values()) {
      Map<Integer, Counter> byCode = new HashMap<>();
      byCode.put(UNKNOWN, counter(registry, origin, "other"));
      for (int code : origin == Origin.FAULT ? OF_FAULTS : ErrorCode.all()) {
        byCode.put(code, counter(registry, origin, ErrorCode.name(code)));
      }
      counters.put(origin, byCode);
    }
  }

  private static Counter counter(MeterRegistry registry, Origin origin, String error) {
    return Counter.builder("sluice.errors")
        .description(
            "Requests that ended with an error, by error and origin: a node, the proxy"
                + " deliberately, or a fault of the proxy")
        .tags(
            "origin",
            origin.name().toLowerCase(Locale.ROOT),
            "error",
            error.toLowerCase(Locale.ROOT))
        .register(registry);
  }

  void count(Origin origin, int code) {
    Map<Integer, Counter> byCode = counters.getOrDefault(origin, Map.of());
    Counter counter = byCode.getOrDefault(code, byCode.get(UNKNOWN));
    if (counter != null) {
      counter.increment();
    }
  }
}
