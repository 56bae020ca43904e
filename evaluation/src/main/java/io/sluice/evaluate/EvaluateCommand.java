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
      "Measures Sluice against Cassandra from outside and writes a report: results.json, CSV, HDR"
          + " logs, charts, and one page to look at.",
      "Ctrl-C keeps what is done and still writes the report."
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

  /** Runs it and ends the JVM: 0 when it went well, 1 on a failure, 2 on wrong usage. */
  public static void main(String[] args) {
    System.exit(
        OneLineErrors.on(
                new CommandLine(new EvaluateCommand()),
                ClusterFailure.class,
                DriverException.class,
                IllegalArgumentException.class,
                IllegalStateException.class,
                IOException.class)
            .execute(args));
  }
}
