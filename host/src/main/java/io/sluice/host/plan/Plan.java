package io.sluice.host.plan;

import io.sluice.host.plan.Advice.Verdict;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The advice for a host.
 *
 * @param kernel release of its kernel
 * @param lines one for each setting, disks first
 */
public record Plan(String kernel, List<Advice> lines) {

  public Plan {
    lines = List.copyOf(lines);
  }

  /**
   * Creates the plan for a host, without changing anything.
   *
   * @throws IOException if it is not a Linux host, or a file cannot be read
   */
  public static Plan of(HostTree tree, Options options) throws IOException {
    List<Advice> lines = new ArrayList<>(new DiskAdvice(tree, options).all());
    lines.addAll(new VmAdvice(tree).all());
    lines.addAll(new LimitAdvice(new ProcessTable(tree)).all());
    return new Plan(kernel(tree), lines);
  }

  /** Creates a plan with only the schedulers that the options name, and their tunables. */
  public static Plan ofChosenSchedulers(HostTree tree, Options options) throws IOException {
    return new Plan(kernel(tree), new DiskAdvice(tree, options).chosen());
  }

  private static String kernel(HostTree tree) throws IOException {
    return tree.read("/proc/sys/kernel/osrelease")
        .orElseThrow(
            () -> new IOException("not a Linux host: /proc/sys/kernel/osrelease is missing"))
        .strip();
  }

  /** Returns the values to write, by path and in order. */
  public Map<String, String> changes() {
    Map<String, String> changes = new LinkedHashMap<>();
    for (Advice line : lines) {
      String proposed = line.proposed();
      if (line.verdict() == Verdict.CHANGE && proposed != null) {
        changes.put(line.path(), proposed);
      }
    }
    return changes;
  }

  /** Returns the number of lines with that verdict. */
  public long count(Verdict verdict) {
    return lines.stream().filter(line -> line.verdict() == verdict).count();
  }

  /**
   * The operator's choices.
   *
   * @param schedulers I/O schedulers by kind of disk, instead of the recommended ones
   * @param bfqTimes factor for the time slices and expiry times of BFQ, 1 to 3
   * @param devices devices to include; empty for all
   */
  public record Options(Map<DiskKind, String> schedulers, int bfqTimes, List<String> devices) {

    public Options {
      schedulers = Map.copyOf(schedulers);
      devices = List.copyOf(devices);
      if (bfqTimes < 1 || bfqTimes > 3) {
        throw new IllegalArgumentException("--bfq-times must be 1 to 3");
      }
    }

    /** Returns options without any choice. */
    public static Options none() {
      return new Options(Map.of(), 1, List.of());
    }
  }
}
