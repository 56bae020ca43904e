package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The counts of pieces that wait at another proxy than their client's. Safe for any thread. */
public final class HomeMeters {

  /** The reason why a piece is sent to its node directly. */
  public enum Fallback {
    /**
     * The home proxy is silent, was late for this node, answered shortly before as a proxy that is
     * no home, or reports more work of the node than the piece has time for.
     */
    AVOIDED,
    /** The link to the home proxy could not be opened, or was lost. */
    LOST,
    /** The home proxy has sent nothing for too long. */
    SILENT,
    /** The home proxy did not answer within half of the remaining time. */
    LATE,
    /** The home proxy has refused the piece, or its answer was too large for this proxy. */
    REFUSED,
    /** The other proxy answered as a proxy that is no home. */
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
              .description(
                  "Pieces sent directly to their nodes, by the reason why the home proxy was not"
                      + " used")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  /** Counts a piece that is sent to its home proxy. */
  public void sent() {
    sent.increment();
  }

  /** Counts a piece that another proxy has sent. */
  public void guest() {
    guests.increment();
  }

  /** Counts a piece that is sent to its node directly. */
  public void fellBack(Fallback reason) {
    Counter counter = fallbacks.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }
}
