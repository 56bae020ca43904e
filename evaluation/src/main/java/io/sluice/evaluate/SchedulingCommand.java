package io.sluice.evaluate;

import io.sluice.cluster.ClusterPartitioner;
import io.sluice.evaluate.bed.Variant;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Tables;
import io.sluice.load.WorkloadFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Repeats the evaluation of the scheduling paper. */
@Command(
    name = "scheduling",
    description = {
      "Runs closed-loop clients with the paper's mixes of single and range reads: directly, through"
          + " the paper's six settings of the proxy, and through Sluice with its defaults.",
      "All targets take turns under each load, in each round."
    },
    mixinStandardHelpOptions = true)
final class SchedulingCommand implements Callable<Integer> {
  private static final int PAPER_TABLES = 1000;

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private TableOptions options = new TableOptions();

  @Option(
      names = "--targets",
      split = ",",
      paramLabel = "NAME",
      description = "targets to measure (default: direct,O,ReS,P,ReS+P,P+RaS,A,Sluice)")
  private List<String> targets =
      List.of("direct", "O", "ReS", "P", "ReS+P", "P+RaS", "A", "Sluice");

  @Option(
      names = "--mixes",
      split = ",",
      paramLabel = "M",
      description = "workload files with the shares of the reads (default: mix91,mix55)")
  private List<String> mixes = List.of("mix91", "mix55");

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "N",
      description = "numbers of clients (default: 125,250,500,1000; quick: 125)")
  private @Nullable List<Integer> clients;

  @Option(
      names = "--max-limit",
      paramLabel = "N",
      description = "largest LIMIT (default: the workload's, at most a tenth of a table's rows)")
  private @Nullable Integer maxLimit;

  @Option(
      names = "--paper-data",
      description = "use the paper's byte-ordered partitioner and 1000 tables")
  private boolean paperData;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Evaluation evaluation = new Evaluation("scheduling", options, command.commandLine().getOut());
    int tables = paperData ? PAPER_TABLES : 1;
    List<Scene> scenes = scenes(tables);
    return evaluation.run(
        options.spec(
            Variant.of(targets),
            1,
            paperData ? ClusterPartitioner.BYTEORDERED : ClusterPartitioner.MURMUR3,
            tables,
            evaluation.folder()),
        mix("mix55", tables),
        bed -> scenes);
  }

  private List<Scene> scenes(int tables) throws IOException {
    List<Scene> scenes = new ArrayList<>();
    LoadTime time = options.time();
    for (String name : mixes) {
      Mix mix = mix(name, tables);
      for (int count : clients()) {
        scenes.add(
            new Scene(
                title(name),
                count + " clients",
                time,
                (target, lasting, seed) ->
                    Scene.Played.alone(
                        new ClosedLoop(target.tables().mix(mix, Tables.Levels.ONE, Check.COUNTS))
                            .run(count, lasting, seed))));
      }
    }
    return scenes;
  }

  private List<Integer> clients() {
    List<Integer> given = clients;
    List<Integer> some =
        given != null ? given : options.quick() ? List.of(125) : List.of(125, 250, 500, 1000);
    if (some.stream().anyMatch(n -> n < 1 || n > 10_000)) {
      throw new IllegalArgumentException("--clients: 1 to 10000");
    }
    return some;
  }

  private Mix mix(String name, int tables) throws IOException {
    Mix mix = Mix.of(WorkloadFiles.read(name));
    Integer given = maxLimit;
    if (given != null) {
      return mix.withMaxLimit(BedOptions.atLeastOne("--max-limit", given));
    }
    int longest = Math.max(1, options.rows() / tables / 10);
    return mix.withMaxLimit(Math.min(mix.maxLimit(), longest));
  }

  private static String title(String workload) {
    return switch (workload) {
      case "mix91" -> "mix 9:1";
      case "mix55" -> "mix 5:5";
      default -> workload;
    };
  }
}
