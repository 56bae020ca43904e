package io.sluice.bench;

import io.sluice.cluster.ClusterFailure;
import io.sluice.command.OneLineErrors;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the small measurements. */
@Command(
    name = "sluice bench",
    description = "Small measurements of Sluice from outside, beside a node.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LatencyCommand.class, LoadCommand.class})
public final class BenchCommand {
  private BenchCommand() {}

  /**
   * Runs the command and ends the JVM with exit code 0 on success, 1 on a failure, 2 on wrong
   * usage.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line, which reports expected failures in one line. */
  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new BenchCommand()),
        IOException.class,
        ClusterFailure.class,
        IllegalArgumentException.class);
  }
}
