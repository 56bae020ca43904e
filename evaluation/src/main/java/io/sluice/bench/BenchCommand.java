package io.sluice.bench;

import io.sluice.cluster.WrongUsage;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the measurements. */
@Command(
    name = "sluice bench",
    description = "Small measurements from outside.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LatencyCommand.class, LoadCommand.class})
public final class BenchCommand {
  private BenchCommand() {}

  /** Runs the command and ends the JVM: 0 when it went well, 1 on a failure, 2 on wrong usage. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new BenchCommand())
            .setParameterExceptionHandler(new WrongUsage())
            .setExecutionExceptionHandler(BenchCommand::explain)
            .execute(args));
  }

  private static int explain(Exception e, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (e instanceof IOException || e instanceof IllegalArgumentException) {
      command.getErr().println("sluice: " + e.getMessage());
      return 1;
    }
    throw e;
  }
}
