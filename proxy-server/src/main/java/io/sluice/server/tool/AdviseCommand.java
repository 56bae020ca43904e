package io.sluice.server.tool;

import ch.qos.logback.classic.Level;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.dropwizard.logging.common.BootstrapLogging;
import io.sluice.server.settings.SettingsFormat;
import io.sluice.time.SystemTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code advise}: shows how long point reads of a running cluster wait behind scans, before Sluice
 * is installed.
 */
@Command(
    name = "advise",
    description = {
      "Reads the virtual tables of a running cluster for some seconds, and shows which share of the"
          + " time of point reads at its nodes is waiting behind range scans. Needs Cassandra 4.0"
          + " or later. Installs and changes nothing.",
      "Run it under the usual load.",
      ""
    })
final class AdviseCommand implements Callable<Integer> {

  private static final Duration SAMPLING_PAUSE = Duration.ofMillis(50);
  private static final double PERCENT = 100;

  /** Below this share, point reads of a node are reported as not waiting behind scans. */
  private static final double MIN_SHARE = 0.05;

  private static final List<String> COLUMNS =
      List.of(
          "node",
          "points/s",
          "scans/s",
          "running",
          "waiting",
          "wait ms",
          "wait share",
          "behind scans");

  private static final List<String> LIMITS =
      List.of(
          "What these tables do not show:",
          "- Scans also slow down point reads that run at the same time, through CPU, disk and"
              + " garbage collection. This is not included; scheduling.mode: observe measures it.",
          "- Times are those of replicas, without the network and the coordinator.",
          "- The shares assume that all reads wait equally long. Short bursts of scans make it"
              + " worse.",
          "- The duration of scans is known only as a median and a 99th percentile of some minutes,"
              + " so each share is a range.");

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--hosts",
      required = true,
      split = ",",
      paramLabel = "HOST[:PORT]",
      description = "One or more nodes of one data centre; the command finds the others.")
  private List<String> hosts = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long to measure (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Mixin private LoginOptions login = new LoginOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    BootstrapLogging.bootstrap(Level.OFF);
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    if (seconds < 1) {
      throw new ParameterException(command, "--seconds: must be at least 1");
    }
    PrintWriter out = command.getOut();
    List<InetSocketAddress> addresses = addresses(command);
    try (CqlSession session = open(addresses)) {
      lines(measure(session)).forEach(out::println);
      return 0;
    } catch (InvalidQueryException e) {
      throw new IOException(
          "The cluster lacks the virtual tables, which need Cassandra 4.0 or later: "
              + e.getMessage(),
          e);
    } catch (DriverException e) {
      throw new IOException(
          "Cannot read from " + String.join(", ", hosts) + ": " + e.getMessage(), e);
    }
  }

  private CqlSession open(List<InetSocketAddress> addresses) throws IOException {
    CqlSessionBuilder builder = login.session("sluice advise").addContactPoints(addresses);
    try {
      return builder.build();
    } catch (IllegalStateException e) {
      // The driver uses the nodes of one data centre, and cannot choose it.
      throw new IOException("--hosts: nodes of one data centre", e);
    }
  }

  private List<InetSocketAddress> addresses(CommandLine command) {
    try {
      return hosts.stream().map(SettingsFormat::address).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--hosts: " + e.getMessage());
    }
  }

  /** The load of one node during the measurement. */
  record Seen(String node, ReadLoad load) {}

  private List<Seen> measure(CqlSession session) throws InterruptedException {
    SystemTime time = new SystemTime();
    List<ReadTables> all = new ArrayList<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      if (node.getState() == NodeState.UP && node.getOpenConnections() > 0) {
        all.add(new ReadTables(session, node));
      }
    }
    all.forEach(each -> each.begin(time.nanoTime()));
    long until = time.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (time.nanoTime() < until) {
      all.forEach(ReadTables::sample);
      time.sleep(SAMPLING_PAUSE);
    }
    List<Seen> seen = new ArrayList<>();
    for (ReadTables each : all) {
      String node = String.valueOf(each.node().getEndPoint());
      seen.add(new Seen(node, each.end(time.nanoTime())));
    }
    return seen;
  }

  /** Returns the report. */
  static List<String> lines(List<Seen> all) {
    List<List<Object>> cells = new ArrayList<>();
    for (Seen each : all) {
      ReadLoad load = each.load();
      cells.add(
          List.of(
              each.node(),
              load.perSecond(load.points()),
              load.perSecond(load.scans()),
              load.running(),
              load.waiting(),
              load.waitMillis(),
              load.isMeaningful() ? share(load.minWaitShare(), load.maxWaitShare()) : "–",
              load.isMeaningful()
                  ? share(load.minShareBehindScans(), load.maxShareBehindScans())
                  : "–"));
    }
    List<String> lines = new ArrayList<>(new TextTable(COLUMNS, cells).lines());
    lines.add("");
    lines.add(verdict(all.stream().map(Seen::load).filter(ReadLoad::isMeaningful).toList()));
    lines.add("");
    lines.addAll(LIMITS);
    return lines;
  }

  private static String verdict(List<ReadLoad> loads) {
    long points = loads.stream().mapToLong(ReadLoad::points).sum();
    if (points == 0) {
      return "Nodes had no point reads in this time, or none that ran at a sample: nothing can be"
          + " said.";
    }
    double least =
        loads.stream().mapToDouble(each -> each.points() * each.minShareBehindScans()).sum()
            / points;
    double most =
        loads.stream().mapToDouble(each -> each.points() * each.maxShareBehindScans()).sum()
            / points;
    return most < MIN_SHARE
        ? "Point reads do not wait behind scans for threads (" + share(least, most) + ")."
        : "Of the time of point reads at nodes, "
            + share(least, most)
            + " is waiting for a thread behind scans.";
  }

  private static String share(double least, double most) {
    String from = String.format(Locale.ROOT, "%.0f", least * PERCENT);
    String to = String.format(Locale.ROOT, "%.0f", most * PERCENT);
    return from.equals(to) ? to + " %" : from + " to " + to + " %";
  }
}
