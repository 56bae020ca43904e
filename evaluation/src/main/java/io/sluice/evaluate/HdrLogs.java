package io.sluice.evaluate;

import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes whole histograms in HdrHistogram's log format: one file for each load, target and round.
 */
final class HdrLogs {
  private final Path dir;

  HdrLogs(Path dir) {
    this.dir = dir;
  }

  /** Returns the name of a class without blanks, at which a reader of the log would stop. */
  static String tag(RequestClass of) {
    return of.label().replace(' ', '-');
  }

  /** Writes one file with a tagged histogram for each class, in microseconds. */
  void write(String target, Scene scene, int round, Observed observed) throws IOException {
    Files.createDirectories(dir);
    String name = scene.group() + "-" + scene.load() + "-" + target + "-" + round;
    Path file = dir.resolve(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9+]+", "-") + ".hlog");
    long now = System.currentTimeMillis();
    try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputComment("microseconds; " + target + ", " + scene.group() + ", " + scene.load());
      log.outputLogFormatVersion();
      log.outputLegend();
      for (RequestClass of : RequestClass.values()) {
        Histogram micros = observed.of(of).micros();
        if (micros.getTotalCount() > 0) {
          micros.setTag(tag(of));
          micros.setStartTimeStamp(now - scene.time().counted().toMillis());
          micros.setEndTimeStamp(now);
          log.outputIntervalHistogram(micros);
        }
      }
    }
  }
}
