package io.sluice.command;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * Prints the errors of a command as one line, with an exit code: 2 for a wrong command line, 1 for
 * an expected failure. Any other exception is rethrown, with its stack trace.
 */
public final class OneLineErrors {
  private OneLineErrors() {}

  /**
   * Installs the handlers of errors on a command line and its current subcommands.
   *
   * @param expected the types of failures whose message contains all that a user needs
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
