package io.sluice.simulator;

import io.sluice.command.FileFailure;
import io.sluice.simulator.report.Progress;
import io.sluice.simulator.report.ReportFolder;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of every simulation, and the place of its results. */
final class OutputOptions {
  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(names = "--seed", paramLabel = "N", description = "the same seed gives the same figures")
  private long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "write results.json and charts (PNG and SVG) there")
  private @Nullable Path out;

  @Option(names = "--json", description = "print results as JSON instead of tables")
  private boolean json;

  long seed() {
    return seed;
  }

  /**
   * Returns the folder, which is created now: a long simulation must not end without a place for
   * its results.
   */
  @Nullable ReportFolder folder() throws IOException {
    Path place = out;
    if (place == null) {
      return null;
    }
    ReportFolder folder = new ReportFolder(place);
    try {
      folder.create();
    } catch (IOException e) {
      throw new IOException("--out: cannot write to " + place + ": " + FileFailure.reason(e), e);
    }
    return folder;
  }

  boolean json() {
    return json;
  }

  /** Returns a progress line on the error stream, so that results can be piped. */
  Progress progress() {
    boolean terminal = System.getenv("SLUICE_TERMINAL") != null;
    return new Progress(command.commandLine().getErr(), terminal);
  }
}
