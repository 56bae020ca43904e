package io.sluice.bench;

import io.sluice.bench.LoadRounds.Round;
import io.sluice.rawcql.Pipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Measures throughput and latency of many concurrent requests, at each host in turn. */
@Command(
    name = "load",
    description = {
      "Sends EXECUTE of prepared one-row reads, or writes, on plain connections with many requests"
          + " in flight each, to each host in turn, in rounds. The first round is not counted.",
      "Prints medians over the rounds, and the ratio to the first host. The processor time is that"
          + " of the process that listens at the host's address; '-' if it runs on another machine"
          + " or belongs to another user.",
      "Creates the keyspace sluice_bench through the first host, and drops it at the end, also"
          + " after Ctrl-C."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class LoadCommand implements Callable<Integer> {
  private static final int MAX_IN_FLIGHT = 32_768;

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Hosts hosts = new Hosts();

  @Option(names = "--connections", paramLabel = "N", description = "connections to each host")
  private int connections = 1;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = "requests in flight on each connection")
  private int inFlight = 64;

  @Option(names = "--seconds", paramLabel = "S", description = "length of one round at one host")
  private int seconds = 3;

  @Option(names = "--rounds", paramLabel = "N", description = "counted rounds")
  private int rounds = 5;

  @Option(names = "--rows", paramLabel = "N", description = "rows that the requests use in turn")
  private int rows = 1000;

  @Option(names = "--writes", description = "write the rows instead of reading them")
  private boolean writes;

  @Override
  public Integer call() throws IOException {
    Hosts.require(
        connections >= 1 && seconds >= 1 && rounds >= 1 && rows >= 1,
        "--connections, --seconds, --rounds and --rows: at least 1");
    Hosts.require(
        inFlight >= 1 && inFlight <= MAX_IN_FLIGHT, "--in-flight: from 1 to " + MAX_IN_FLIGHT);
    List<InetSocketAddress> addresses = hosts.addresses();
    PrintWriter err = command.commandLine().getErr();
    try (BenchTable table = BenchTable.at(addresses.get(0), hosts::connect, err)) {
      table.create();
      table.fill(rows);
      List<LoadRounds> loads = new ArrayList<>();
      try {
        for (InetSocketAddress address : addresses) {
          loads.add(open(table, address));
        }
        inTurn(loads);
        print(loads);
      } finally {
        for (LoadRounds load : loads) {
          load.close();
        }
      }
    }
    return 0;
  }

  private LoadRounds open(BenchTable table, InetSocketAddress address) throws IOException {
    List<Pipeline> pipelines = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      pipelines.add(table.pipelineAt(address, writes, rows, inFlight));
    }
    return new LoadRounds(pipelines, ProcessorTime.of(address, Path.of("/proc")));
  }

  private void inTurn(List<LoadRounds> loads) throws IOException {
    for (int round = 0; round <= rounds; round++) {
      for (LoadRounds load : loads) {
        load.run(TimeUnit.SECONDS.toNanos(seconds), round > 0);
      }
    }
  }

  private void print(List<LoadRounds> loads) {
    PrintWriter out = command.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%-22s %10s %8s %9s %8s %9s %8s %15s%n",
        "host",
        "requests/s",
        "x",
        "p50 us",
        "x",
        "p99 us",
        "CPU us",
        "lowest-highest/s");
    List<Round> first = loads.get(0).rounds();
    for (int i = 0; i < loads.size(); i++) {
      out.println(line(hosts.names().get(i), loads.get(i).rounds(), first));
    }
    out.flush();
  }

  /** Returns the line of a host, with the ratio to the first one. */
  static String line(String host, List<Round> each, List<Round> first) {
    double cpu = median(each, Round::cpuMicros);
    return String.format(
        Locale.ROOT,
        "%-22s %10.0f %8.2f %9.0f %8.2f %9.0f %8s %15s",
        host,
        median(each, Round::perSecond),
        median(each, Round::perSecond) / median(first, Round::perSecond),
        median(each, Round::p50Micros),
        median(each, Round::p50Micros) / median(first, Round::p50Micros),
        median(each, Round::p99Micros),
        Double.isNaN(cpu) ? "-" : String.format(Locale.ROOT, "%.1f", cpu),
        span(each));
  }

  private static String span(List<Round> rounds) {
    double[] sorted = rounds.stream().mapToDouble(Round::perSecond).sorted().toArray();
    return String.format(Locale.ROOT, "%.0f-%.0f", sorted[0], sorted[sorted.length - 1]);
  }

  static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
