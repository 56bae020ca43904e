package io.sluice.host.plan;

import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The advice for block devices: I/O schedulers and read-ahead. */
final class DiskAdvice {
  private static final String QUEUE = "/sys/block/%s/queue/";
  private static final String BFQ = "bfq";
  private static final String DOCS = "Apache Cassandra, Production recommendations: read ahead";
  private static final String CHECK = "Cassandra's start-up check of read_ahead_kb";
  private static final String RED_HAT = "Red Hat Enterprise Linux 10, Setting the disk scheduler";
  private static final String KERNEL_BFQ = "Linux, Documentation/block/bfq-iosched";
  private static final String CHOSEN = "your --scheduler";

  /** BFQ's defaults, in milliseconds. */
  private static final int TIMEOUT_SYNC = 124;

  private static final int EXPIRE_SYNC = 125;
  private static final int EXPIRE_ASYNC = 250;

  private final HostTree tree;
  private final Plan.Options options;

  DiskAdvice(HostTree tree, Plan.Options options) {
    this.tree = tree;
    this.options = options;
  }

  List<Advice> all() throws IOException {
    List<Advice> all = new ArrayList<>();
    for (String device : devices()) {
      all.addAll(of(device, DiskKind.of(tree, device)));
    }
    return all;
  }

  /** Returns advice only for the kinds of disks for which the operator chose a scheduler. */
  List<Advice> chosen() throws IOException {
    List<Advice> all = new ArrayList<>();
    for (String device : devices()) {
      DiskKind kind = DiskKind.of(tree, device);
      if (options.schedulers().containsKey(kind)) {
        all.addAll(scheduler(QUEUE.formatted(device), kind));
      }
    }
    return all;
  }

  private List<String> devices() throws IOException {
    List<String> devices = new ArrayList<>();
    for (String device : tree.list("/sys/block")) {
      boolean asked = options.devices().isEmpty() || options.devices().contains(device);
      if (asked && DiskKind.of(tree, device) != DiskKind.NO_DISK) {
        devices.add(device);
      }
    }
    return devices;
  }

  private List<Advice> of(String device, DiskKind kind) throws IOException {
    if (kind == DiskKind.UNKNOWN) {
      return List.of(
          Advice.leave("/sys/block/" + device, "–", "a device " + kind.words(), "left alone"));
    }
    String queue = QUEUE.formatted(device);
    List<Advice> all = new ArrayList<>(scheduler(queue, kind));
    Optional<String> readAhead = tree.read(queue + "read_ahead_kb").map(KernelValue::of);
    if (readAhead.isPresent()) {
      all.add(readAhead(queue, kind, readAhead.get()));
    }
    return all;
  }

  private List<Advice> scheduler(String queue, DiskKind kind) throws IOException {
    String path = queue + "scheduler";
    String content = tree.read(path).orElse("");
    if (content.isEmpty()) {
      return List.of();
    }
    String current = KernelValue.of(content);
    List<String> choices = KernelValue.choices(content);
    if (choices.isEmpty()) {
      return List.of(
          Advice.leave(
              path, current, kind.words() + ": there is no choice of schedulers", "the kernel"));
    }
    String chosen = options.schedulers().get(kind);
    String advised = chosen != null ? chosen : kind.scheduler();
    String proposed = advised;
    if (proposed == null || (chosen == null && kind.takes(current))) {
      proposed = current;
    }
    if (!choices.contains(proposed)) {
      return List.of(
          Advice.leave(path, current, "this kernel does not offer " + proposed, "left alone"));
    }
    List<Advice> all = new ArrayList<>();
    String source = chosen != null ? CHOSEN : RED_HAT;
    String why = why(kind, proposed);
    all.add(
        proposed.equals(advised)
            ? Advice.of(path, current, proposed, why, source)
            : Advice.keep(path, current, why, source));
    if (proposed.equals(BFQ)) {
      all.addAll(bfq(queue, kind));
    }
    return all;
  }

  private static String why(DiskKind kind, String scheduler) {
    return kind.words()
        + switch (scheduler) {
          case "none" -> ": the device or its host orders requests itself";
          case "mq-deadline" -> ": requests by position, reads first, without starvation";
          case BFQ -> ": time slices by process, so that a join or a compaction does not occupy it";
          default -> "";
        };
  }

  /** Returns the advice for BFQ's tunables. They have no current value before BFQ is chosen. */
  private List<Advice> bfq(String queue, DiskKind kind) throws IOException {
    List<Advice> all = new ArrayList<>();
    all.add(tunable(queue, "low_latency", 0, "throughput, not latency of desktop programs"));
    if (kind != DiskKind.ROTATIONAL) {
      all.add(tunable(queue, "slice_idle", 0, "no idling on a disk without seeks"));
    }
    int times = options.bfqTimes();
    if (times > 1) {
      String why = "slices × " + times + ": fewer seeks between processes, longer waits";
      all.add(tunable(queue, "timeout_sync", TIMEOUT_SYNC * times, why));
      all.add(tunable(queue, "fifo_expire_sync", EXPIRE_SYNC * times, why));
      all.add(tunable(queue, "fifo_expire_async", EXPIRE_ASYNC * times, why));
    }
    return all;
  }

  private Advice tunable(String queue, String name, int value, String why) throws IOException {
    String path = queue + "iosched/" + name;
    String current = tree.read(path).map(KernelValue::of).orElse("(none)");
    return Advice.of(path, current, Integer.toString(value), why, KERNEL_BFQ);
  }

  private Advice readAhead(String queue, DiskKind kind, String current) throws IOException {
    String path = queue + "read_ahead_kb";
    if (!current.matches("\\d{1,9}")) {
      return Advice.leave(path, current, "not a number", "left alone");
    }
    boolean flash = tree.read(queue + "rotational").map(KernelValue::of).orElse("").equals("0");
    int most = flash && kind != DiskKind.NVME ? DiskKind.SSD.readAheadKb() : kind.readAheadKb();
    String why =
        most < DiskKind.ROTATIONAL.readAheadKb()
            ? "flash: read-ahead of point reads costs bandwidth and page cache"
            : kind.words() + ": at most 64 KB ahead of a point read";
    String source = DOCS + "; " + CHECK;
    return Integer.parseInt(current) < most
        ? Advice.keep(path, current, why, source)
        : Advice.of(path, current, Integer.toString(most), why, source);
  }
}
