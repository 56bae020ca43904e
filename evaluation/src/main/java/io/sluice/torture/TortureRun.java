package io.sluice.torture;

import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.LocalNode;
import io.sluice.torture.check.Checker;
import io.sluice.torture.check.Disturbance;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Verdict;
import io.sluice.torture.load.Journal;
import io.sluice.torture.load.Schema;
import io.sluice.torture.load.Sessions;
import io.sluice.torture.load.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The run of one seed: clients and faults for a time, then the judgement. */
final class TortureRun {
  /** The time after a fault was mended in which errors are still allowed. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long SEARCH_STEPS = 3_000_000;
  private static final long PROGRESS_SECONDS = 10;

  /** The most violations of one rule that are printed. */
  private static final int SHOWN = 3;

  private final Plan plan;
  private final Bed bed;
  private final Consumer<String> say;

  TortureRun(Plan plan, Bed bed, Consumer<String> say) {
    this.plan = plan;
    this.bed = bed;
    this.say = say;
  }

  /** Runs a seed, writes its files, and returns the verdict. */
  Verdict run(long seed) throws IOException, InterruptedException {
    String title = "seed " + seed + ", " + plan.seconds() + " s, " + plan.target();
    say.accept(title);
    String keyspace = keyspace(seed);
    bed.awaitWholeRing();
    Schema.create(bed.direct(), keyspace, bed.cluster().replication());
    Journal journal = new Journal();
    List<Fault> leftOut;
    Path folder = Files.createDirectories(plan.folder(seed));
    try (Sessions sessions =
            new Sessions(
                bed.contactPoints(), bed.cluster().datacenter(), keyspace, journal::onSurplus);
        Rescue rescue = Rescue.of(journal, folder.resolve("history.jsonl"), say)) {
      leftOut = torture(seed, sessions, journal);
      rescue.deactivate();
    }
    History history = journal.history();
    HistoryFile.write(history, folder.resolve("history.jsonl"));
    Verdict verdict =
        judge(
            title + ", begun at " + journal.begun(),
            history,
            leftOut,
            folder.resolve("report.txt"),
            say);
    if (!verdict.violations().isEmpty()) {
      KeptLogs.copy(bed.cluster().nodes().stream().map(LocalNode::log).toList(), folder);
    }
    return verdict;
  }

  private static String keyspace(long seed) {
    return "torture_" + seed;
  }

  /**
   * Drops the keyspace of a finished seed, to free disk space. Returns false if the nodes do not do
   * it in time: the seed has left them in a state in which the next one could not begin.
   */
  boolean drop(long seed) {
    try {
      Schema.drop(bed.direct(), keyspace(seed));
      return true;
    } catch (DriverException e) {
      say.accept(
          "keyspace "
              + keyspace(seed)
              + " cannot be dropped, so new nodes are started: "
              + e.getMessage());
      return false;
    }
  }

  /** Judges a history, writes the report, and returns the verdict. */
  static Verdict judge(
      String title, History history, List<Fault> leftOut, Path report, Consumer<String> say)
      throws IOException {
    Verdict verdict = new Checker(GRACE_NANOS, SEARCH_STEPS).judge(history);
    Files.write(report, Report.lines(title, history, verdict, leftOut));
    say.accept(title + ": " + Report.summary(history, verdict));
    Report.shown(verdict, SHOWN)
        .forEach(violation -> say.accept("  " + violation.rule() + ": " + violation.what()));
    say.accept("  " + report);
    return verdict;
  }

  private List<Fault> torture(long seed, Sessions sessions, Journal journal)
      throws InterruptedException {
    Workload workload = new Workload(seed, sessions, journal);
    Saboteur saboteur = new Saboteur(bed, sessions, journal, plan.seconds(), say);
    try {
      if (!workload.load()) {
        throw new ClusterFailure("cannot write the rows before the first fault");
      }
      long end = journal.now() + TimeUnit.SECONDS.toNanos(plan.seconds());
      workload.start();
      saboteur.start(plan.schedule(seed));
      progressUntil(end, journal);
      List<Fault> leftOut = saboteur.await();
      progressUntil(calm(journal), journal);
      workload.end();
      workload.readAll();
      return leftOut;
    } finally {
      saboteur.close();
      workload.close();
    }
  }

  /** Returns the time after which no error is allowed. */
  private static long calm(Journal journal) {
    long mended =
        journal.history().disturbances().stream().mapToLong(Disturbance::to).max().orElse(0);
    return mended + GRACE_NANOS + TimeUnit.SECONDS.toNanos(1);
  }

  private void progressUntil(long end, Journal journal) throws InterruptedException {
    long step = TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS);
    while (journal.now() < end) {
      TimeUnit.NANOSECONDS.sleep(Math.min(step, end - journal.now()));
      say.accept(
          String.format(
              Locale.ROOT,
              "%6.1f s  %,d requests, %,d failed",
              journal.now() / 1e9,
              journal.asked(),
              journal.failed()));
    }
  }
}
