package io.sluice.evaluate;

import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.command.OneLineErrors;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the evaluation. */
@Command(
    name = "sluice evaluate",
    description = {
      "Compares Sluice with Cassandra from outside and writes a report: results.json, CSV, HDR"
          + " logs, charts, and an HTML page.",
      "After Ctrl-C, the report has all finished loads."
    },
    subcommands = {
      SchedulingCommand.class,
      ConsistencyCommand.class,
      OpenLoopCommand.class,
      WorkloadsCommand.class,
      CacheCommand.class,
      JoinStudyCommand.class,
      ColocationCommand.class,
      CompareCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class EvaluateCommand {
  private EvaluateCommand() {}

  /**
   * Runs the command and ends the JVM with exit code 0 on success, 1 on a failure or after answers
   * with wrong rows, 2 on wrong usage.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line, which reports expected failures in one line. */
  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new EvaluateCommand()),
        ClusterFailure.class,
        DriverException.class,
        IllegalArgumentException.class,
        IllegalStateException.class,
        IOException.class);
  }
}
