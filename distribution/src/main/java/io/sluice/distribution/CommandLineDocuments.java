package io.sluice.distribution;

import io.sluice.host.HostCommand;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes what the model of the command line gives: the sources of the man pages (AsciiDoc) and the
 * completion for bash and zsh.
 */
final class CommandLineDocuments {

  private CommandLineDocuments() {}

  /**
   * Runs in the build.
   *
   * @param arguments the folder to write to
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    CommandLine commands = SluiceServer.documentation();
    commands.addSubcommand("host", HostCommand.documentation());
    int exitCode =
        ManPageGenerator.generateManPage(
            folder.toFile(), null, new boolean[0], false, commands.getCommandSpec());
    if (exitCode != CommandLine.ExitCode.OK) {
      throw new IOException("no man pages: exit code " + exitCode);
    }
    Files.writeString(folder.resolve("sluice"), AutoComplete.bash("sluice", commands));
  }
}
