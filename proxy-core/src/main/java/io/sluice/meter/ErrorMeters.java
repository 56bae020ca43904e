package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.wire.ErrorCode;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The errors that requests have ended with, by their origin. Safe for any thread. */
final class ErrorMeters {

  /** A code that the protocol's specification does not have. */
  private static final int UNKNOWN = -1;

  /** The place where an error was made. */
  enum Origin {
    /** A node's answer. */
    NODE,
    /** Sluice, on purpose: a refusal, a time-out, no node in reach. */
    PROXY,
    /** A fault of Sluice. */
    FAULT
  }

  private final Map<Origin, Map<Integer, Counter>> counters = new EnumMap<>(Origin.class);

  ErrorMeters(MeterRegistry registry) {
    for (Origin origin : Origin.values()) {
      Map<Integer, Counter> byCode = new HashMap<>();
      byCode.put(UNKNOWN, counter(registry, origin, "other"));
      if (origin == Origin.FAULT) {
        int code = ErrorCode.SERVER_ERROR;
        byCode.put(code, counter(registry, origin, ErrorCode.name(code)));
      } else {
        for (int code : ErrorCode.all()) {
          byCode.put(code, counter(registry, origin, ErrorCode.name(code)));
        }
      }
      counters.put(origin, byCode);
    }
  }

  private static Counter counter(MeterRegistry registry, Origin origin, String error) {
    return Counter.builder("sluice.errors")
        .description(
            "Requests that ended with an error, by the error and by its origin: a node, the proxy"
                + " on purpose, or a fault of the proxy")
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
