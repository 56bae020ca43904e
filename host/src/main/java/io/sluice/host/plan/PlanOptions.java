package io.sluice.host.plan;

import java.util.List;
import java.util.Map;

/**
 * The operator's choices.
 *
 * @param schedulers I/O schedulers by kind of disk, instead of the recommended ones
 * @param bfqTimes factor for the time slices and expiry times of BFQ, 1 to 3
 * @param devices devices to include; empty for all
 */
public record PlanOptions(Map<DiskKind, String> schedulers, int bfqTimes, List<String> devices) {

  public PlanOptions {
    schedulers = Map.copyOf(schedulers);
    devices = List.copyOf(devices);
    if (bfqTimes < 1 || bfqTimes > 3) {
      throw new IllegalArgumentException("--bfq-times must be 1 to 3");
    }
  }

  /** Returns options without any choice. */
  public static PlanOptions none() {
    return new PlanOptions(Map.of(), 1, List.of());
  }
}
