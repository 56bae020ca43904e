package io.sluice.host.plan;

import io.sluice.host.process.ProcessTable;
import io.sluice.host.process.ProcessTable.HostProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The advice for the resource limits of nodes, which a process gets at its start. */
final class LimitAdvice {
  static final String UNLIMITED = "unlimited";

  /**
   * A resource limit.
   *
   * @param resource name in the kernel, in lower case
   * @param least least value that a node needs
   * @param directive name in a systemd unit
   */
  record Limit(String resource, String least, String directive, String why, String source) {

    boolean isMetBy(String current) {
      return current.equals(UNLIMITED)
          || (!least.equals(UNLIMITED)
              && current.matches("\\d{1,18}")
              && Long.parseLong(current) >= Long.parseLong(least));
    }
  }

  private static final String DEGRADED = "Cassandra's start-up check (degraded mode)";

  static final List<Limit> ALL =
      List.of(
          new Limit(
              "max locked memory",
              UNLIMITED,
              "LimitMEMLOCK",
              "a node locks its memory against swap; the agent's pin locks index files",
              "Cassandra's package, limits.d; the warning of its mlockall"),
          new Limit(
              "max open files",
              "100000",
              "LimitNOFILE",
              "each SSTable has about eight files, each client a connection",
              DEGRADED),
          new Limit("max processes", "32768", "LimitNPROC", "threads count as processes", DEGRADED),
          new Limit(
              "max address space",
              UNLIMITED,
              "LimitAS",
              "data files are mapped completely",
              DEGRADED));

  private final ProcessTable processes;

  LimitAdvice(ProcessTable processes) {
    this.processes = processes;
  }

  List<Advice> all() throws IOException {
    List<Advice> all = new ArrayList<>();
    for (HostProcess node : processes.nodes()) {
      for (Limit limit : ALL) {
        String current = processes.limit(node.pid(), limit.resource()).orElse("–");
        String proposed = limit.isMetBy(current) ? current : limit.least();
        all.add(
            Advice.byHand(
                node.title() + ": " + limit.resource(),
                current,
                proposed,
                limit.why() + "; takes effect at the next start",
                limit.source()));
      }
    }
    return all;
  }
}
