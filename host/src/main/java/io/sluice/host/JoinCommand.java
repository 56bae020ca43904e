package io.sluice.host;

import io.sluice.host.join.Join;
import io.sluice.host.join.WriteBack;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code host join}. */
@Command(
    name = "join",
    description = {
      "Lets written pages stay in memory longer while a node joins, and sets that back when the"
          + " node is NORMAL, at Ctrl-C and at SIGTERM.",
      "After kill -9 the next 'apply', 'join' or 'undo' sets it back."
    },
    mixinStandardHelpOptions = true)
final class JoinCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Place place = new Place();
  @Mixin private Choices choices = new Choices();

  @ArgGroup(multiplicity = "1")
  private Node node = new Node();

  /** The ways to name a node. */
  static final class Node {
    @Option(names = "--pid", paramLabel = "PID", description = "the node's process")
    private @Nullable Long pid;

    @Option(
        names = "--service",
        paramLabel = "NAME",
        description = "the unit of systemd that runs the node, or will run it")
    private @Nullable String service;
  }

  @Option(
      names = "--jmx",
      paramLabel = "HOST:PORT",
      description = "the node's JMX (without it its JVM is attached to)")
  private @Nullable String jmx;

  @Option(
      names = "--dirty-background-ratio",
      paramLabel = "PERCENT",
      description =
          "share of free memory and page cache that is dirty before the kernel writes"
              + " (default: ${DEFAULT-VALUE})")
  private int background = 40;

  @Option(
      names = "--dirty-ratio",
      paramLabel = "PERCENT",
      description = "share at which writers wait (default: ${DEFAULT-VALUE})")
  private int ratio = 60;

  @Option(
      names = "--expire-seconds",
      paramLabel = "S",
      description = "age at which a page is written (default: ${DEFAULT-VALUE})")
  private int expire = 120;

  @Option(
      names = "--interval-seconds",
      paramLabel = "S",
      description = "time between two looks for such pages (default: ${DEFAULT-VALUE})")
  private int interval = 5;

  @Option(
      names = "--limit-minutes",
      paramLabel = "M",
      description =
          "set it back after so long even if the node has not joined (default: ${DEFAULT-VALUE})")
  private long limitMinutes = 1440;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    boolean joined =
        new Join(place.tree(), out::println)
            .run(
                new Join.Target(node.pid, node.service, jmx),
                new WriteBack(background, ratio, expire, interval),
                choices.namesScheduler() ? choices.options() : null,
                60_000 * limitMinutes);
    return joined ? 0 : 1;
  }
}
