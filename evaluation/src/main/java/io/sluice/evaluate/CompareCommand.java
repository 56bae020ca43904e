package io.sluice.evaluate;

import io.sluice.evaluate.figures.RunFiles;
import io.sluice.evaluate.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a page that compares two runs. */
@Command(
    name = "compare",
    description = "Writes a page that compares two runs and lists the settings that differ.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class CompareCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "folder of a report, or its results.json")
  private Path a = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "the other folder or file")
  private Path b = Path.of("");

  @Option(names = "--out", paramLabel = "FILE", description = "the page to write")
  private Path out = Path.of("compare.html");

  @Override
  public Integer call() throws IOException {
    Path page = Report.compare(RunFiles.read(a), a.toString(), RunFiles.read(b), b.toString(), out);
    command.commandLine().getOut().println("comparison: " + page);
    return 0;
  }
}
