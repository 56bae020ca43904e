package io.sluice.host;

import io.sluice.command.OneLineErrors;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the host. */
@Command(
    name = "sluice host",
    description = {
      "Settings of the Linux kernel under Cassandra: reads and explains them, changes them with a"
          + " record, and undoes that exactly.",
      "Nothing outlasts a reboot unless it is exported."
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

  /** Runs the command and ends the JVM: 0 when it went well, 1 on a failure, 2 on wrong usage. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line as a part of another one: for man pages and completion. */
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
