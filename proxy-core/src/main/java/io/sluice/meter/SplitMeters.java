package io.sluice.meter;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.execute.merge.SharedRows;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** The counts of range reads and of their sub-requests. Safe for any thread. */
public final class SplitMeters {

  private final Counter scattered;
  private final Map<Reason, Counter> whole = new EnumMap<>(Reason.class);
  private final Counter pages;
  private final Counter waves;
  private final Counter sent;
  private final Counter spared;
  private final Counter rowsRead;
  private final Counter rowsReturned;
  private final Counter shared;
  private final Counter rowsShared;

  public SplitMeters(MeterRegistry registry, LongSupplier bufferedBytes) {
    scattered = reads(registry, "none");
    for (Reason reason : Reason.values()) {
      whole.put(reason, reads(registry, reason.name().toLowerCase(Locale.ROOT)));
    }
    pages = counter(registry, "sluice.split.pages", "Pages of split range reads");
    waves = counter(registry, "sluice.split.waves", "Waves of sub-requests for those pages");
    sent = counter(registry, "sluice.split.subrequests", "Sub-requests sent to nodes");
    spared =
        counter(
            registry,
            "sluice.split.spared",
            "Sub-requests not sent because earlier ones had returned all rows of the page");
    rowsRead = counter(registry, "sluice.split.rows.read", "Rows that sub-requests returned");
    rowsReturned =
        counter(
            registry,
            "sluice.split.rows.returned",
            "Rows that sub-requests returned and pages contained");
    shared =
        counter(
            registry,
            "sluice.split.shared",
            "Sub-requests not sent because another sub-request read their rows");
    rowsShared =
        counter(
            registry,
            "sluice.split.rows.shared",
            "Rows of sub-requests that a node had also read for another sub-request");
    Gauge.builder("sluice.split.buffered.bytes", bufferedBytes::getAsLong)
        .description("Memory used or reserved by answers that wait for their page")
        .strongReference(true)
        .register(registry);
  }

  private static Counter reads(MeterRegistry registry, String reason) {
    return Counter.builder("sluice.range.reads")
        .description(
            "Pages of range reads, by the reason why they went whole to one node; none: split")
        .tag("whole", reason)
        .register(registry);
  }

  private static Counter counter(MeterRegistry registry, String name, String what) {
    return Counter.builder(name).description(what).register(registry);
  }

  public void scattered() {
    scattered.increment();
  }

  public void whole(Reason reason) {
    Counter counter = whole.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Counts a page that is sent to the client, with {@code given} rows. */
  public void page(int waveCount, long read, int given) {
    pages.increment();
    waves.increment(waveCount);
    rowsRead.increment((double) read);
    rowsReturned.increment(given);
  }

  /** Counts an answer of {@code read} rows that one sub-request and its riders have shared. */
  public void shared(SharedRows shares, int riders, int read) {
    shared.increment(riders);
    rowsShared.increment((double) shares.given() - (read - shares.unused()));
    rowsRead.increment(shares.unused());
  }

  public void sent() {
    sent.increment();
  }

  public void spared() {
    spared.increment();
  }
}
