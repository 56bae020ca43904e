package io.sluice.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a wrong command line on one line, which names the help option. The exit code is 2. */
final class WrongUsage implements CommandLine.IParameterExceptionHandler {

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(
        "sluice: "
            + explained(wrong, command)
            + " ("
            + command.getCommandSpec().qualifiedName()
            + " --help lists the options)");
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }

  private static String explained(ParameterException wrong, CommandLine command) {
    String message = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("wrong usage");
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched.getSuggestions().stream()
          .findFirst()
          .map(name -> message + "; did you mean " + name + "?")
          .orElse(message);
    }
    return message.equals("Missing required subcommand")
        ? "a command is missing: " + String.join(", ", command.getSubcommands().keySet())
        : message;
  }
}
