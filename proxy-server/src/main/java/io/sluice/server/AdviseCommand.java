package io.sluice.server;

import ch.qos.logback.classic.Level;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.dropwizard.logging.common.BootstrapLogging;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code advise}: what point reads of a running cluster wait for, before Sluice is there. */
@Command(
    name = "advise",
    description = {
      "Reads the virtual tables of a running cluster for some seconds, and says which part of the"
          + " time of point reads at its nodes is waiting behind range scans. Needs Cassandra 4.0 or"
          + " later; nothing is installed or changed.",
      "Run it while the load is as it usually is.",
      ""
    })
final class AdviseCommand implements Callable<Integer> {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
  private static final double PERCENT = 100;

  /** Below this share a node is said to have no such wait. */
  private static final double FELT = 0.05;

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

  private static final List<String> UNKNOWN =
      List.of(
          "What these tables do not tell:",
          "- Scans also slow point reads down that run beside them, for CPU, disk and garbage"
              + " collection. That is not counted here; scheduling.mode: observe measures it.",
          "- Times are those of replicas, without the network and the coordinator.",
          "- All reads are taken to wait equally long: short bursts of scans make it worse.",
          "- How long scans take is known as a median and a 99th percentile since some minutes,"
              + " which is why shares have two ends.");

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--hosts",
      required = true,
      split = ",",
      paramLabel = "HOST[:PORT]",
      description = "One node or more; the others of its data centre are found.")
  private List<String> hosts = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long to look (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = {"-u", "--username"},
      paramLabel = "ROLE",
      description = "The role to log in with; its password is taken from SLUICE_PASSWORD.")
  private @Nullable String username;

  @Override
  public Integer call() throws IOException, InterruptedException {
    BootstrapLogging.bootstrap(Level.OFF);
    CommandLine command = Objects.requireNonNull(spec).commandLine();
    if (seconds < 1) {
      throw new ParameterException(command, "--seconds: must be at least 1");
    }
    PrintWriter out = command.getOut();
    List<InetSocketAddress> addresses = addresses(command);
    try (CqlSession session =
        ToolSession.builder("sluice advise", username).addContactPoints(addresses).build()) {
      lines(look(session)).forEach(out::println);
      return 0;
    } catch (InvalidQueryException e) {
      throw new IOException(
          "The cluster has no such virtual tables; Cassandra 4.0 or later has: " + e.getMessage(),
          e);
    } catch (DriverException e) {
      throw new IOException(
          "Cannot read from " + String.join(", ", hosts) + ": " + e.getMessage(), e);
    }
  }

  private List<InetSocketAddress> addresses(CommandLine command) {
    try {
      return hosts.stream().map(SettingsFormat::address).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--hosts: " + e.getMessage());
    }
  }

  /** The load of one node in the time that was looked at. */
  record Seen(String node, ReadLoad load) {}

  private List<Seen> look(CqlSession session) throws InterruptedException {
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
      all.forEach(ReadTables::look);
      time.sleep(BETWEEN_LOOKS);
    }
    List<Seen> seen = new ArrayList<>();
    for (ReadTables each : all) {
      String node = String.valueOf(each.node().getEndPoint());
      seen.add(new Seen(node, each.end(time.nanoTime())));
    }
    return seen;
  }

  /** The report. */
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
              load.tells() ? share(load.leastWaitShare(), load.mostWaitShare()) : "–",
              load.tells() ? share(load.leastBehindScans(), load.mostBehindScans()) : "–"));
    }
    List<String> lines = new ArrayList<>(new TextTable(COLUMNS, cells).lines());
    lines.add("");
    lines.add(verdict(all.stream().map(Seen::load).filter(ReadLoad::tells).toList()));
    lines.add("");
    lines.addAll(UNKNOWN);
    return lines;
  }

  private static String verdict(List<ReadLoad> loads) {
    long points = loads.stream().mapToLong(ReadLoad::points).sum();
    if (points == 0) {
      return "Nodes had no point reads in this time, or none that ran at a look: nothing can be"
          + " said.";
    }
    double least =
        loads.stream().mapToDouble(each -> each.points() * each.leastBehindScans()).sum() / points;
    double most =
        loads.stream().mapToDouble(each -> each.points() * each.mostBehindScans()).sum() / points;
    return most < FELT
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
