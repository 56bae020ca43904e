package io.sluice.evaluate;

import io.sluice.cluster.ClusterPartitioner;
import io.sluice.evaluate.bed.Variant;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.OpenLoop;
import io.sluice.load.RateProfile;
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

/** Measures latency against offered load. */
@Command(
    name = "open-loop",
    description = {
      "Sends requests at their own rate, independent of responses: each class is a Poisson process,"
          + " and times count from the arrival. The load grows in steps up to the capacity of"
          + " Cassandra and to one and a half times that. One step has bursts of twice its"
          + " rate.",
      "Closed-loop clients find Cassandra's capacity first, unless --capacity gives it."
    },
    mixinStandardHelpOptions = true)
final class OpenLoopCommand implements Callable<Integer> {
  private static final double BURST_SHARE = 0.7;

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private TableOptions options = new TableOptions();

  @Option(
      names = "--targets",
      split = ",",
      paramLabel = "NAME",
      description = "targets to measure (default: direct,Sluice)")
  private List<String> targets = List.of("direct", "Sluice");

  @Option(names = "--mix", paramLabel = "M", description = "workload file (default: mix91)")
  private String mixName = "mix91";

  @Option(names = "--capacity", paramLabel = "N", description = "requests a second at 100 %%")
  private @Nullable Double capacity;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Double given = capacity;
    if (given != null && !(given > 0 && Double.isFinite(given))) {
      throw new IllegalArgumentException("--capacity: above 0");
    }
    Mix whole = Mix.of(WorkloadFiles.read(mixName));
    Mix mix = whole.withMaxLimit(Math.min(whole.maxLimit(), Math.max(1, options.rows() / 10)));
    Evaluation evaluation = new Evaluation("open-loop", options, command.commandLine().getOut());
    return evaluation.run(
        options.spec(Variant.of(targets), 1, ClusterPartitioner.MURMUR3, 1, evaluation.folder()),
        mix,
        bed -> {
          double perSecond = given != null ? given : new Capacity(options).of(bed, mix);
          evaluation
              .recording()
              .note("100 %% are %.0f requests a second of both classes.".formatted(perSecond));
          return scenes(mix, perSecond);
        });
  }

  private List<Scene> scenes(Mix mix, double perSecond) {
    List<Scene> scenes = new ArrayList<>();
    for (double share :
        options.quick()
            ? List.of(0.5, 0.8, 1.0, 1.5)
            : List.of(0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5)) {
      scenes.add(scene(mix, Math.round(share * 100) + " %", RateProfile.steady(share * perSecond)));
    }
    scenes.add(scene(mix, "70 % + bursts", bursts(perSecond)));
    return scenes;
  }

  private RateProfile bursts(double perSecond) {
    double period = Math.max(2, options.time().seconds() / 3);
    return new RateProfile(BURST_SHARE * perSecond, 2, period, period / 5);
  }

  private Scene scene(Mix mix, String load, RateProfile profile) {
    LoadTime time = options.time();
    return new Scene(
        "open loop, " + mixName,
        load,
        time,
        (target, lasting, seed) ->
            Scene.Played.alone(
                new OpenLoop(target.tables(), mix, Check.COUNTS).run(profile, lasting, seed)));
  }
}
