package io.sluice.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Measures the latency of one request at a time, on one connection to each host. */
@Command(
    name = "latency",
    description = {
      "Times EXECUTE of a prepared one-row read: one plain connection to each host, one request at"
          + " a time, in blocks at each host in turn. The first block at each host is not counted.",
      "Creates the keyspace sluice_bench at the first host, and drops it at the end, also after"
          + " Ctrl-C. Every node has the row, so the first host, a node, reads it locally."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class LatencyCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Mixin private Hosts hosts = new Hosts();

  @Option(names = "--requests", paramLabel = "N", description = "counted requests at each host")
  private int requests = 20_000;

  @Option(names = "--block", paramLabel = "N", description = "consecutive requests at one host")
  private int block = 2000;

  @Override
  public Integer call() throws IOException {
    Hosts.require(requests >= 1 && block >= 1, "--requests and --block: at least 1");
    List<InetSocketAddress> addresses = hosts.addresses();
    PrintWriter err = command.commandLine().getErr();
    try (BenchTable table = BenchTable.at(addresses.get(0), hosts::connect, err)) {
      table.create();
      List<PreparedRead> reads = new ArrayList<>();
      try {
        for (InetSocketAddress address : addresses) {
          reads.add(table.prepareAt(address));
        }
        inTurn(reads);
        print(reads);
      } finally {
        for (PreparedRead read : reads) {
          read.close();
        }
      }
    }
    return 0;
  }

  private void inTurn(List<PreparedRead> reads) throws IOException {
    for (PreparedRead read : reads) {
      read.run(block, false);
    }
    for (int done = 0; done < requests; done += block) {
      for (PreparedRead read : reads) {
        read.run(Math.min(block, requests - done), true);
      }
    }
  }

  private void print(List<PreparedRead> reads) {
    PrintWriter out = command.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%-22s %9s %9s %9s %9s %9s %8s%n",
        "host",
        "p50 us",
        "p90 us",
        "p99 us",
        "mean us",
        "max us",
        "p50 x");
    double first = reads.get(0).nanos().getValueAtPercentile(50);
    for (int i = 0; i < reads.size(); i++) {
      Histogram nanos = reads.get(i).nanos();
      out.printf(
          Locale.ROOT,
          "%-22s %9.1f %9.1f %9.1f %9.1f %9.1f %8.2f%n",
          hosts.names().get(i),
          nanos.getValueAtPercentile(50) / 1e3,
          nanos.getValueAtPercentile(90) / 1e3,
          nanos.getValueAtPercentile(99) / 1e3,
          nanos.getMean() / 1e3,
          nanos.getMaxValue() / 1e3,
          nanos.getValueAtPercentile(50) / first);
    }
    out.flush();
  }
}
