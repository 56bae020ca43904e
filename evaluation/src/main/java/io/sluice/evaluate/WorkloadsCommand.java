package io.sluice.evaluate;

import io.sluice.evaluate.drive.Mix;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** Compares many workloads, directly and through Sluice. */
@Command(
    name = "workloads",
    description = {
      "Runs many workloads, directly and through Sluice in turn. The report shows mean, p99 and"
          + " answers a second as ratios with 95 %% intervals, and where Sluice is worse.",
      "Checks the number of rows of every answer, and every row of one answer in sixteen."
    },
    mixinStandardHelpOptions = true)
final class WorkloadsCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private MatrixOptions options = new MatrixOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    if (options.list()) {
      list(options.rowsOfMatrix(), options.quick()).forEach(out::println);
      return 0;
    }
    List<Cell> cells = options.cells();
    Evaluation evaluation = new Evaluation("workloads", options, out);
    for (String sentence : options.leftOut()) {
      out.println(sentence);
      evaluation.recording().note(sentence);
    }
    CellScenes scenes = new CellScenes(options, evaluation.recording());
    return evaluation.run(
        options.spec(evaluation.folder()),
        new Mix(0.5, 0.5, 0, CellScenes.LONG, false),
        bed -> scenes.of(bed, cells));
  }

  /** Returns a line for each row: its name, its description and its loads. */
  static List<String> list(List<Row> rows, boolean quick) {
    return rows.stream()
        .map(
            row ->
                "%-13s %s: %s"
                    .formatted(
                        row.label(),
                        row.meaning(),
                        row.cells(quick).stream()
                            .map(Cell::load)
                            .collect(Collectors.joining("; "))))
        .toList();
  }
}
