package io.sluice.host;

import io.sluice.host.plan.DiskKind;
import io.sluice.host.plan.Plan;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The operator's choices for disks. */
final class Choices {
  @Option(
      names = "--scheduler",
      paramLabel = "KIND=NAME",
      description =
          "I/O scheduler for disks of a kind (rotational, ssd, nvme, virtio), such as"
              + " rotational=bfq; BFQ gets low_latency 0")
  private Map<DiskKind, String> schedulers = Map.of();

  @Option(
      names = "--bfq-times",
      paramLabel = "N",
      description = "factor for BFQ's time slices and expiry times: 1, 2 or 3 (default: 1)")
  private int bfqTimes = 1;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "only this block device, such as sdb; may be repeated")
  private List<String> devices = List.of();

  Plan.Options options() {
    return new Plan.Options(schedulers, bfqTimes, devices);
  }

  boolean namesScheduler() {
    return !schedulers.isEmpty();
  }
}
