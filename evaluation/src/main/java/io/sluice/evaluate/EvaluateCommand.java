package io.sluice.evaluate;

import com.datastax.oss.driver.api.core.DriverException;
import io.sluice.cluster.ClusterFailure;
import io.sluice.cluster.WrongUsage;
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
      CompareCommand.class
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class EvaluateCommand {
  private EvaluateCommand() {}

  /** Runs it and ends the JVM: 0 when it went well, 1 on a failure, 2 on wrong usage. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new EvaluateCommand())
            .setParameterExceptionHandler(new WrongUsage())
            .setExecutionExceptionHandler(EvaluateCommand::explain)
            .execute(args));
  }

  private static int explain(Exception e, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (e instanceof ClusterFailure
        || e instanceof DriverException
        || e instanceof IllegalArgumentException
        || e instanceof IllegalStateException
        || e instanceof IOException) {
      command.getErr().println("sluice: " + e.getMessage());
      return 1;
    }
    throw e;
  }
}
