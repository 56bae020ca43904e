package io.sluice.evaluate.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A setting of the kernel's merging of equal pages.
 *
 * @param label name in reports
 * @param settings values of files in {@code /sys/kernel/mm/ksm}; empty if merging is off
 */
public record Merging(String label, Map<String, String> settings) {
  /** No merging. */
  public static final Merging OFF = new Merging("off", Map.of());

  private static final int INTERVAL_PAGES = 1000;

  /** Copies the settings. */
  public Merging {
    settings = Map.copyOf(settings);
  }

  /** Returns all settings of the study; the first is the baseline. */
  public static List<Merging> all(List<Integer> intervals) {
    List<Merging> all = new ArrayList<>(List.of(OFF, byDefault()));
    intervals.forEach(each -> all.add(every(each)));
    all.add(advised());
    return all;
  }

  /** Returns merging at the kernel's default rate. */
  static Merging byDefault() {
    return new Merging("default", Map.of("run", "1"));
  }

  /** Returns merging of 1,000 pages at each interval. */
  static Merging every(int millis) {
    return new Merging(
        "every " + millis + " ms",
        Map.of(
            "pages_to_scan",
            Integer.toString(INTERVAL_PAGES),
            "sleep_millisecs",
            Integer.toString(millis),
            "run",
            "1"));
  }

  /**
   * Returns the settings of {@code sluice host memory apply}: the kernel's advisor, and zero pages.
   */
  static Merging advised() {
    return new Merging(
        "advisor", Map.of("advisor_mode", "scan-time", "use_zero_pages", "1", "run", "1"));
  }
}
