package io.sluice.host;

import io.sluice.command.OneLineErrors;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the host commands. */
@Command(
    name = "sluice host",
    description = {
      "Explains and changes settings of the Linux kernel under Cassandra. Records each change"
          + " and can undo it exactly.",
      "No change survives a reboot unless it is exported."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PlanCommand.class,
      ApplyCommand.class,
      StatusCommand.class,
      UndoCommand.class,
      ExportCommand.class,
      JoinCommand.class,
      MemoryCommand.class
    })
public final class HostCommand {
  private HostCommand() {}

  /**
   * Runs the command and ends the JVM with exit code 0 on success, 1 on a failure, 2 on wrong
   * usage.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line as a subcommand, for man pages and completion. */
  public static CommandLine documentation() {
    return commandLine().setCommandName("host");
  }

  static CommandLine commandLine() {
    return OneLineErrors.on(
        new CommandLine(new HostCommand()).setCaseInsensitiveEnumValuesAllowed(true),
        IOException.class,
        IllegalArgumentException.class);
  }
}
