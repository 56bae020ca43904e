package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The counts of pieces that wait at another proxy than their client's. Safe for any thread. */
public final class HomeMeters {

  /** A cause for which a piece is asked directly at its node. */
  public enum Fallback {
    /** The home was found silent or unwilling shortly before. */
    AVOIDED,
    /** Its link could not be opened, or was lost. */
    LOST,
    /** It has not been heard for too long. */
    SILENT,
    /** It did not answer in half of the time that was left. */
    LATE,
    /** It has refused the piece. */
    REFUSED,
    /** It answered as if it were no home. */
    NOT_A_HOME
  }

  private final Counter sent;
  private final Counter guests;
  private final Map<Fallback, Counter> fallbacks = new EnumMap<>(Fallback.class);

  public HomeMeters(MeterRegistry registry) {
    sent =
        Counter.builder("sluice.home.sent")
            .description("Pieces of range reads sent to the home proxies of their nodes")
            .register(registry);
    guests =
        Counter.builder("sluice.home.guests")
            .description("Pieces of range reads that other proxies have sent to this one")
            .register(registry);
    for (Fallback reason : Fallback.values()) {
      fallbacks.put(
          reason,
          Counter.builder("sluice.home.fallbacks")
              .description("Pieces asked directly at their nodes, by why their home did not do")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  /** A piece goes to its home. */
  public void sent() {
    sent.increment();
  }

  /** Another proxy has sent a piece. */
  public void guest() {
    guests.increment();
  }

  /** A piece is asked directly. */
  public void fellBack(Fallback reason) {
    Counter counter = fallbacks.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }
}
