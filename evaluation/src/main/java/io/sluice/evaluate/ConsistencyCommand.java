package io.sluice.evaluate;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.sluice.cluster.ClusterPartitioner;
import io.sluice.evaluate.bed.Variant;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Tables;
import io.sluice.load.WorkloadFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Measures the cost of each consistency level, directly and through Sluice. */
@Command(
    name = "consistency",
    description = {
      "Runs YCSB's workloads a, b, c and g with three replicas, at every pair of read and write"
          + " levels of ONE, TWO, QUORUM and ALL, directly and through Sluice.",
      "A load's name ends with * if R + W > N: then a read sees every earlier write."
    },
    mixinStandardHelpOptions = true)
final class ConsistencyCommand implements Callable<Integer> {
  static final int REPLICAS = 3;

  private static final List<ConsistencyLevel> LEVELS =
      List.of(
          DefaultConsistencyLevel.ONE,
          DefaultConsistencyLevel.TWO,
          DefaultConsistencyLevel.QUORUM,
          DefaultConsistencyLevel.ALL);

  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private TableOptions options = new TableOptions();

  @Option(
      names = "--targets",
      split = ",",
      paramLabel = "NAME",
      description = "targets to measure (default: direct,Sluice)")
  private List<String> targets = List.of("direct", "Sluice");

  @Option(names = "--clients", paramLabel = "N", description = "closed-loop clients (default: 32)")
  private int clients = 32;

  @Option(names = "--equal-levels", description = "only pairs of equal levels; always with --quick")
  private boolean equalLevels;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (options.nodes() < REPLICAS) {
      throw new IllegalArgumentException("--nodes: at least 3, one for each replica");
    }
    int closedLoops = BedOptions.atLeastOne("--clients", clients);
    Evaluation evaluation = new Evaluation("consistency", options, command.commandLine().getOut());
    List<Scene> scenes = new ArrayList<>();
    for (String workload : List.of("a", "b", "c", "g")) {
      scenes.addAll(scenes(workload, Mix.of(WorkloadFiles.read(workload))));
    }
    evaluation
        .recording()
        .note(
            closedLoops
                + " closed-loop clients. * marks R + W > N: a read sees every earlier write."
                + (options.startsNodes()
                    ? " All replicas share this machine, so these figures lack a slow network,"
                        + " which makes ALL expensive."
                    : ""));
    return evaluation.run(
        options.spec(
            Variant.of(targets), REPLICAS, ClusterPartitioner.MURMUR3, 1, evaluation.folder()),
        Mix.of(WorkloadFiles.read("a")),
        bed -> scenes);
  }

  private List<Scene> scenes(String workload, Mix mix) {
    LoadTime time = options.time();
    List<Scene> scenes = new ArrayList<>();
    for (Tables.Levels levels : pairs(mix, equalLevels || options.quick())) {
      scenes.add(
          new Scene(
              "workload " + workload,
              name(mix, levels),
              time,
              (target, lasting, seed) ->
                  Scene.Played.alone(
                      new ClosedLoop(target.tables().mix(mix, levels, Check.COUNTS))
                          .run(clients, lasting, seed))));
    }
    return scenes;
  }

  /** Returns the pairs that can differ. A class without requests in the mix gets one level. */
  static List<Tables.Levels> pairs(Mix mix, boolean equal) {
    boolean reads = mix.share(RequestClass.SINGLE) > 0;
    boolean writes = mix.share(RequestClass.WRITE) > 0;
    List<Tables.Levels> pairs = new ArrayList<>();
    for (ConsistencyLevel read : reads ? LEVELS : LEVELS.subList(0, 1)) {
      for (ConsistencyLevel write : writes ? LEVELS : LEVELS.subList(0, 1)) {
        if (!equal || !reads || !writes || read.equals(write)) {
          pairs.add(new Tables.Levels(read, write));
        }
      }
    }
    return pairs;
  }

  /** Returns the name of a load, such as {@code R=ONE W=ALL *}. */
  static String name(Mix mix, Tables.Levels levels) {
    boolean reads = mix.share(RequestClass.SINGLE) > 0;
    boolean writes = mix.share(RequestClass.WRITE) > 0;
    if (!writes) {
      return "R=" + levels.reads();
    }
    if (!reads) {
      return "W=" + levels.writes();
    }
    boolean strong = replicas(levels.reads()) + replicas(levels.writes()) > REPLICAS;
    return "R=" + levels.reads() + " W=" + levels.writes() + (strong ? " *" : "");
  }

  private static int replicas(ConsistencyLevel level) {
    return switch ((DefaultConsistencyLevel) level) {
      case ONE -> 1;
      case TWO -> 2;
      case QUORUM -> REPLICAS / 2 + 1;
      case ALL -> REPLICAS;
      default -> throw new IllegalArgumentException("not evaluated: " + level);
    };
  }
}
