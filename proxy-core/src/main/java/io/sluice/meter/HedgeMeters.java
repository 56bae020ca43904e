package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counts of point reads whose replica was late. Safe for any thread. */
public final class HedgeMeters {

  private final Map<Outcome, Counter> hedged = new EnumMap<>(Outcome.class);
  private final Map<Skipped, Counter> skipped = new EnumMap<>(Skipped.class);

  /** The outcome of a second request. */
  public enum Outcome {
    /** Its response came first. */
    WON,
    /** The response of the first replica came first. */
    LOST,
    /** It brought no response that the client could get. */
    FAILED
  }

  /** The reason why a late read got no second request. */
  public enum Skipped {
    /** The permitted share of hedged reads is used up. */
    SHARE,
    /** No other replica could start the read at once. */
    BUSY
  }

  public HedgeMeters(MeterRegistry registry) {
    for (Outcome each : Outcome.values()) {
      hedged.put(
          each,
          Counter.builder("sluice.hedged.reads")
              .description("Point reads that were also sent to a second replica")
              .tag("outcome", tag(each))
              .register(registry));
    }
    for (Skipped each : Skipped.values()) {
      skipped.put(
          each,
          Counter.builder("sluice.hedges.skipped")
              .description("Late point reads that were not sent to a second replica")
              .tag("reason", tag(each))
              .register(registry));
    }
  }

  private static String tag(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  public void ended(Outcome outcome) {
    count(hedged.get(outcome));
  }

  public void skipped(Skipped reason) {
    count(skipped.get(reason));
  }

  private static void count(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }
}
