package io.sluice.torture;

import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ProxyProcess;
import io.sluice.command.OneLineErrors;
import io.sluice.torture.check.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command line of torture. */
@Command(
    name = "sluice torture",
    description = {
      "Starts Cassandra nodes and proxies. Clients write, read, scan and transact. Meanwhile nodes"
          + " and proxies are killed, restarted, paused and cut off, and columns are added, as the"
          + " seed determines. A checker then judges the answers.",
      "The checker requires: an outcome for every request, errors of allowed kinds and only near a"
          + " fault, no acknowledged write lost, no row of a scan lost or shown twice,"
          + " linearizable transactions, counters between acknowledged and requested sums, and no"
          + " write applied twice.",
      "Run a seed with a violation again with --direct: if Cassandra violates it too, Sluice is not"
          + " the cause."
    },
    footer = {
      "",
      "Exit code 1: a violation, or the run failed. For each seed, the folder has history.jsonl,"
          + " with all requests and outcomes, and report.txt, with faults, violations and their"
          + " operations. A register whose search is given up is undecided, which counts as no"
          + " violation; the last line of --seeds names its seed."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class TortureCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Option(names = "--seed", paramLabel = "N", description = "seed of faults and clients")
  private long seed = 1;

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      description = "run all seeds from A to B, one after another, on the same nodes")
  private @Nullable String seeds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "duration of clients and faults; the last quarter has no new faults")
  private int seconds = 60;

  @Option(names = "--nodes", paramLabel = "N", description = "Cassandra nodes, 3 to 7")
  private int nodes = 3;

  @Option(names = "--proxies", paramLabel = "N", description = "proxies, 1 to 8")
  private int proxies = 2;

  @Option(names = "--direct", description = "connect the clients to the nodes, without a proxy")
  private boolean direct;

  @Option(
      names = "--homes",
      description = "queue range reads at home proxies, so that proxies send each other pieces")
  private boolean homes;

  @Option(
      names = "--judge",
      paramLabel = "FILE",
      description =
          "judge the history in this file again, into report-again.txt beside it; start nothing")
  private @Nullable Path judged;

  @Option(names = "--dir", paramLabel = "DIR", description = "folder of reports and histories")
  private Path dir = Path.of(".sluice", "torture");

  @Option(names = "--port", paramLabel = "PORT", description = "CQL port of the first proxy")
  private int port = 9342;

  @Option(names = "--cluster-port", paramLabel = "PORT", description = "CQL port of the nodes")
  private int clusterPort = 19_342;

  @Option(names = "--storage-port", paramLabel = "PORT", description = "storage port of the nodes")
  private int storagePort = 17_300;

  /**
   * Runs the command and ends the JVM with exit code 0 without a violation, 1 with one or on a
   * failure, 2 on wrong usage.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line, which reports expected failures in one line. */
  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new TortureCommand()),
        ClusterFailure.class,
        DriverException.class,
        IllegalArgumentException.class,
        IOException.class);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (judged != null) {
      return judgeAgain(judged) ? 0 : 1;
    }
    Seeds all = seeds == null ? Seeds.only(seed) : Seeds.of(seeds);
    Plan plan = plan();
    Files.createDirectories(dir);
    SeedVerdicts verdicts = new SeedVerdicts();
    long next = all.first();
    while (next <= all.last()) {
      next = runOnNewNodes(plan, next, all.last(), verdicts);
    }
    if (all.count() > 1) {
      say(verdicts.line());
    }
    return verdicts.right() ? 0 : 1;
  }

  /**
   * Runs seeds on new nodes and proxies.
   *
   * @param verdicts gets the verdict on each seed
   * @return the first seed that was not run, because the nodes can no longer be used
   */
  private long runOnNewNodes(Plan plan, long first, long last, SeedVerdicts verdicts)
      throws IOException, InterruptedException {
    try (Bed bed = Bed.start(plan, this::say)) {
      TortureRun run = new TortureRun(plan, bed, this::say);
      for (long seed = first; seed <= last; seed++) {
        if (seed > first && !run.drop(seed - 1)) {
          return seed;
        }
        verdicts.add(seed, run.run(seed));
      }
    }
    return last + 1;
  }

  /** Returns the settings of the runs. Only {@code --direct} is a run without proxies. */
  Plan plan() {
    if (!direct && proxies == 0) {
      throw new IllegalArgumentException(
          "--proxies must be 1 to 8; without a proxy: --direct instead");
    }
    return new Plan(
        seconds,
        nodes,
        direct ? 0 : proxies,
        homes,
        port,
        clusterPort,
        storagePort,
        dir,
        direct ? null : ProxyProcess.launcher("torture"));
  }

  private boolean judgeAgain(Path file) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    Verdict verdict =
        TortureRun.judge(
            file.toString(),
            HistoryFile.read(file),
            List.of(),
            folder.resolve("report-again.txt"),
            this::say);
    return verdict.violations().isEmpty();
  }

  /** Prints a line. Called by several threads. */
  private synchronized void say(String line) {
    PrintWriter out = command.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
