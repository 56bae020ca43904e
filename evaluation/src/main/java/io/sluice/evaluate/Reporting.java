package io.sluice.evaluate;

import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The recording of a measurement and its report, which is written at any end of it. Ctrl-C keeps
 * what is done: the step under way is dropped and the report is written of the others. Safe for any
 * thread.
 */
final class Reporting {
  private final PrintWriter out;
  private final Path folder;
  private final Recording recording;
  private final long began = System.nanoTime();
  private final AtomicBoolean reported = new AtomicBoolean();

  /** A measurement. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  Reporting(String kind, Path folder, ZonedDateTime now, PrintWriter out) {
    this.out = out;
    this.folder = folder;
    this.recording =
        new Recording(kind, now.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss VV")));
  }

  Path folder() {
    return folder;
  }

  Recording recording() {
    return recording;
  }

  /** Whether the report is written, so that nothing counts any more. */
  boolean isOver() {
    return reported.get();
  }

  /** The time since this was made. */
  Duration sinceBegin() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Measures, and writes the report. */
  void during(Work work) throws IOException, InterruptedException {
    Report.prepare();
    recording.about("machine", Machine.machine());
    Thread hook = new Thread(this::reportAfterAll, "report-evaluation");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      work.run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      recording.incident("The evaluation ended early: " + e.getMessage());
      throw e;
    } finally {
      report();
      forget(hook);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already: the hook runs, and finds the report written.
      return;
    }
  }

  /** On Ctrl-C the nodes end at the same time, so what is under way must not count. */
  private void reportAfterAll() {
    recording.note("The evaluation was interrupted: this is what was done until then.");
    recording.close();
    try {
      report();
    } catch (IOException e) {
      say("the report cannot be written: " + e.getMessage());
    }
  }

  /** Once; of nothing there is no report. */
  private void report() throws IOException {
    if (!reported.compareAndSet(false, true)) {
      return;
    }
    recording.close();
    Run run = recording.run();
    if (!run.samples().isEmpty() || !run.measures().isEmpty()) {
      Path page = Report.write(run, folder);
      Report.findings(run).forEach(finding -> say("- " + finding));
      say("report: " + page);
    }
  }

  synchronized void say(String line) {
    out.println(line);
    out.flush();
  }
}
