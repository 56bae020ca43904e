package io.sluice.torture;

import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.ProxyProcess;
import io.sluice.command.OneLineErrors;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
      "Starts Cassandra nodes and proxies, lets clients write, read, scan and transact while nodes"
          + " and proxies are killed, restarted, paused and cut off and columns are added, by a"
          + " seed; and judges what the clients were told.",
      "A checker requires: an outcome for every request, errors of the right kind and only near a"
          + " fault, every acknowledged write read, no row of a scan lost or shown twice,"
          + " linearizable transactions, counters within what was acknowledged and asked for, no"
          + " write made twice.",
      "A seed with a violation is run with --direct too: what Cassandra does itself is no fault of"
          + " Sluice."
    },
    footer = {
      "",
      "Exit code 1: a violation, or the run failed. For each seed the folder has history.jsonl,"
          + " all requests and outcomes, and report.txt, the faults and each violation with its"
          + " operations."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class TortureCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Option(names = "--seed", paramLabel = "N", description = "the seed of faults and clients")
  private long seed = 1;

  @Option(
      names = "--seeds",
      paramLabel = "A..B",
      description = "all seeds from A to B, one after another, at the same nodes")
  private @Nullable String seeds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "how long clients and faults go on; the last quarter has no new faults")
  private int seconds = 60;

  @Option(names = "--nodes", paramLabel = "N", description = "Cassandra nodes, 3 to 7")
  private int nodes = 3;

  @Option(names = "--proxies", paramLabel = "N", description = "proxies, 1 to 8")
  private int proxies = 2;

  @Option(names = "--direct", description = "clients ask the nodes, without a proxy")
  private boolean direct;

  @Option(
      names = "--homes",
      description = "range reads wait at home proxies, so proxies send each other pieces")
  private boolean homes;

  @Option(
      names = "--judge",
      paramLabel = "FILE",
      description = "start nothing, and judge the history in this file again")
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
   * Runs it and ends the JVM: 0 without a violation, 1 with one or on a failure, 2 on wrong usage.
   */
  public static void main(String[] args) {
    System.exit(
        OneLineErrors.on(
                new CommandLine(new TortureCommand()),
                ClusterFailure.class,
                DriverException.class,
                IllegalArgumentException.class,
                IOException.class)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (judged != null) {
      return judgeAgain(judged) ? 0 : 1;
    }
    List<Long> all = seeds == null ? List.of(seed) : Seeds.of(seeds);
    Plan plan =
        new Plan(
            seconds,
            nodes,
            direct ? 0 : proxies,
            homes,
            port,
            clusterPort,
            storagePort,
            Files.createDirectories(dir),
            direct ? null : ProxyProcess.launcher("torture"));
    List<Long> wrong = new ArrayList<>();
    try (Bed bed = Bed.start(plan, this::say)) {
      TortureRun run = new TortureRun(plan, bed, this::say);
      for (int i = 0; i < all.size(); i++) {
        if (i > 0) {
          run.drop(all.get(i - 1));
        }
        if (!run.run(all.get(i))) {
          wrong.add(all.get(i));
        }
      }
    }
    if (all.size() > 1) {
      say(all.size() + " seeds" + (wrong.isEmpty() ? ", no violation" : ", violations: " + wrong));
    }
    return wrong.isEmpty() ? 0 : 1;
  }

  private boolean judgeAgain(Path file) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    return TortureRun.judge(file.toString(), HistoryFile.read(file), List.of(), folder, this::say);
  }

  /** From several threads. */
  private synchronized void say(String line) {
    PrintWriter out = command.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
