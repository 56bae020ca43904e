package io.sluice.simulator;

import io.sluice.command.OneLineErrors;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the simulator. */
@Command(
    name = "sluice simulate",
    description = {
      "Runs the proxy's own scheduler and cutter under virtual time: the same seed, the same"
          + " figures, on any machine."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {Fig5Command.class, ClusterCommand.class})
public final class SimulateCommand {
  private SimulateCommand() {}

  /** Runs the command and ends the JVM: 0 on success, 1 on a failure, 2 on wrong usage. */
  public static void main(String[] args) {
    System.setProperty("java.awt.headless", "true");
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new SimulateCommand()), IOException.class, IllegalArgumentException.class);
  }
}
