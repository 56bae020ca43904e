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
 * Writes the report of a measurement, however the measurement ends. After Ctrl-C, the report has
 * all finished steps; the step in progress is dropped. Safe for any thread.
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

  /** Whether the report has been written, so that further measurements are ignored. */
  boolean isOver() {
    return reported.get();
  }

  /** Returns the time since this object was created. */
  Duration sinceBegin() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Runs the measurement, and writes the report. */
  void during(Work work) throws IOException, InterruptedException {
    Report.prepare();
    recording.about("machine", Machine.machine());
    Thread hook = new Thread(this::reportOnShutdown, "report-evaluation");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      work.run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      recording.incident("The evaluation ended early: " + reason(e));
      throw e;
    } finally {
      report();
      remove(hook);
    }
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook runs, and finds that the report has been written.
      return;
    }
  }

  /**
   * Writes the report on Ctrl-C. The nodes get Ctrl-C too and end, so the step in progress must not
   * count.
   */
  private void reportOnShutdown() {
    recording.note("The evaluation was interrupted. The report has only the finished loads.");
    recording.close();
    try {
      report();
    } catch (IOException e) {
      say("cannot write the report: " + e.getMessage());
    }
  }

  /** Writes the report, on the first call only, if there are measurements. */
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
