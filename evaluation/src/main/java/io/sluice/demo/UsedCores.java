package io.sluice.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The mean number of cores that the processes of a target used in a round, uncounted seconds
 * included: which part of the machine's processors the proxies took from nodes and clients.
 *
 * @param target name of the target
 * @param nodes cores used by all nodes
 * @param proxies cores used by all proxies
 * @param clients cores used by the clients, which are threads of the demo itself
 */
record UsedCores(String target, double nodes, double proxies, double clients) {

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * A reading of the processor time.
   *
   * @param nanos the time of the reading
   * @param nodes seconds that all nodes have used on all processors since their start
   * @param proxies seconds that all proxies have used
   * @param clients seconds that this process has used
   */
  record Reading(long nanos, double nodes, double proxies, double clients) {

    /** Reads the processor time of these processes and of this one. */
    static Reading of(List<ProcessHandle> nodes, List<ProcessHandle> proxies) {
      return new Reading(
          System.nanoTime(),
          seconds(nodes),
          seconds(proxies),
          seconds(List.of(ProcessHandle.current())));
    }

    private static double seconds(List<ProcessHandle> processes) {
      return processes.stream()
          .map(each -> each.info().totalCpuDuration())
          .flatMap(Optional::stream)
          .mapToDouble(UsedCores::seconds)
          .sum();
    }

    /** Returns the cores used at a target since an earlier reading. */
    UsedCores since(Reading before, String target) {
      double seconds = (nanos - before.nanos) / NANOS_PER_SECOND;
      return new UsedCores(
          target,
          (nodes - before.nodes) / seconds,
          (proxies - before.proxies) / seconds,
          (clients - before.clients) / seconds);
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS_PER_SECOND;
  }

  /** Returns the median of rounds at one target, each figure by itself. */
  static UsedCores median(String target, List<UsedCores> rounds) {
    List<UsedCores> of = rounds.stream().filter(each -> each.target.equals(target)).toList();
    return new UsedCores(
        target,
        Report.median(of.stream().map(UsedCores::nodes).toList()),
        Report.median(of.stream().map(UsedCores::proxies).toList()),
        Report.median(of.stream().map(UsedCores::clients).toList()));
  }

  @Override
  public String toString() {
    return proxies == 0
        ? String.format(Locale.ROOT, "%s: nodes %.2f, clients %.2f", target, nodes, clients)
        : String.format(
            Locale.ROOT,
            "%s: nodes %.2f, proxies %.2f, clients %.2f",
            target,
            nodes,
            proxies,
            clients);
  }
}
