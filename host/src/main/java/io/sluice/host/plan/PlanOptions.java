package io.sluice.host.plan;

import java.util.List;
import java.util.Map;

/**
 * The operator's own choices.
 *
 * @param schedulers I/O schedulers by kind of disk, in place of the proposed ones
 * @param bfqTimes by what the time slices and expiry times of BFQ are multiplied, 1 to 3
 * @param devices the only devices to look at; all if empty
 */
public record PlanOptions(Map<DiskKind, String> schedulers, int bfqTimes, List<String> devices) {

  public PlanOptions {
    schedulers = Map.copyOf(schedulers);
    devices = List.copyOf(devices);
    if (bfqTimes < 1 || bfqTimes > 3) {
      throw new IllegalArgumentException("BFQ's times can be multiplied by 1 to 3");
    }
  }

  /** No choice. */
  public static PlanOptions none() {
    return new PlanOptions(Map.of(), 1, List.of());
  }
}
