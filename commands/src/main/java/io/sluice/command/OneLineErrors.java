package io.sluice.command;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * Errors of a command as one line and an exit code: 2 for a wrong command line, 1 for a failure
 * that the command expects. Any other exception is thrown on, with its stack trace.
 */
public final class OneLineErrors {
  private OneLineErrors() {}

  /**
   * Sets them for a command line and the commands that it has by now.
   *
   * @param expected the types of failures whose message says all that a user needs
   */
  public static CommandLine on(CommandLine commands, Class<?>... expected) {
    List<Class<?>> types = List.of(expected);
    return commands
        .setParameterExceptionHandler(new WrongUsage())
        .setExecutionExceptionHandler(
            (thrown, command, parsed) -> {
              if (types.stream().noneMatch(type -> type.isInstance(thrown))) {
                throw thrown;
              }
              PrintWriter err = command.getErr();
              err.println("sluice: " + thrown.getMessage());
              err.flush();
              return CommandLine.ExitCode.SOFTWARE;
            });
  }
}
