package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.decide.classify.StatementShape;
import io.sluice.meter.ProxyMeters.RefusalReason;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counts of requests that were refused for a reason that concerns no single node. {@link
 * NodeMeters} counts those that a node's queue refused, under the same name. Safe for any thread.
 */
final class RefusalMeters {

  static final String NAME = "sluice.refused";
  static final String DESCRIPTION =
      "Requests and pieces of range reads that Sluice has refused, by reason and class; those that"
          + " the queue of a node refused have its address";

  private static final List<String> CLASSES = List.of("point", "range", "other");

  private final Map<RefusalReason, Map<String, LongAdder>> counts =
      new EnumMap<>(RefusalReason.class);

  RefusalMeters(MeterRegistry registry) {
    for (RefusalReason reason : RefusalReason.values()) {
      Map<String, LongAdder> byClass = new HashMap<>();
      counts.put(reason, byClass);
      for (String each : CLASSES) {
        LongAdder count = new LongAdder();
        byClass.put(each, count);
        FunctionCounter.builder(NAME, count, LongAdder::sum)
            .description(DESCRIPTION)
            .tags("node", "", "class", each, "reason", reason.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
  }

  /**
   * Counts a refused request.
   *
   * @param shape the shape of its statement; null when it has none
   */
  void refused(RefusalReason reason, @Nullable StatementShape shape) {
    LongAdder count = counts.getOrDefault(reason, Map.of()).get(of(shape));
    if (count != null) {
      count.increment();
    }
  }

  private static String of(@Nullable StatementShape shape) {
    return switch (shape == null ? StatementShape.OTHER : shape) {
      case POINT_READ, MULTI_POINT_READ -> "point";
      case RANGE_READ, UNKNOWN_SELECT -> "range";
      default -> "other";
    };
  }
}
