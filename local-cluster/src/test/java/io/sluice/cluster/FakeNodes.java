package io.sluice.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs {@code sluice cluster} as a process. Its nodes are shell scripts instead of JVMs: they run,
 * but never serve. {@link #close} ends all that still run.
 */
final class FakeNodes implements AutoCloseable {
  private static final String NODE = "#!/bin/sh\nwhile :; do sleep 0.2; done\n";

  private final Path folder;
  private final List<Process> started = new ArrayList<>();
  final ClusterSpec spec;

  FakeNodes(Path folder, int nodes) throws IOException {
    this.folder = folder;
    this.spec =
        ClusterSpec.defaults()
            .withDir(folder.resolve("cluster"))
            .withNodes(nodes, 1)
            .withPorts(FreePorts.next(), FreePorts.next());
    Path java = Files.createDirectories(folder.resolve("java").resolve("bin")).resolve("java");
    Files.writeString(java, NODE);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path jars = Files.createDirectories(folder.resolve("cache").resolve("cassandra-5.0.9"));
    Path jar = Files.writeString(jars.resolve("a.jar"), "");
    Files.writeString(jars.resolve("classpath.txt"), jar.toString());
  }

  /** Prepares the folder of a cluster that was started earlier, with these nodes running. */
  void earlier(Integer... running) throws IOException {
    List<NodePlan> plans = new RingPlan(spec, false).nodes();
    List<ClusterState.Entry> entries = new ArrayList<>();
    for (NodePlan plan : plans) {
      Files.createDirectories(plan.dir().resolve("data"));
      Files.writeString(data(plan.index()), "rows");
      long pid = List.of(running).contains(plan.index()) ? node(plan).pid() : -1;
      entries.add(new ClusterState.Entry(plan.host(), plan.port(), plan.storagePort(), pid));
    }
    new ClusterState(spec.toString(), true, entries).write(spec.dir());
  }

  private Process node(NodePlan plan) throws IOException {
    Process node =
        new ProcessBuilder(folder.resolve("java/bin/java").toString(), "@" + plan.jvmArgs())
            .start();
    started.add(node);
    return node;
  }

  /** Returns a file in a node's data folder. */
  Path data(int node) {
    return spec.dir().resolve("node" + (node + 1)).resolve("data").resolve("rows.db");
  }

  /** Starts {@code sluice cluster start} with the settings of {@link #spec}. */
  Process start(String... further) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "start",
                "--dir",
                spec.dir().toString(),
                "--nodes",
                String.valueOf(spec.nodes()),
                "--port",
                String.valueOf(spec.ports().cql()),
                "--storage-port",
                String.valueOf(spec.ports().storage())));
    arguments.addAll(List.of(further));
    return command(arguments);
  }

  /** Starts {@code sluice cluster} with these arguments. {@link #said} returns its output. */
  Process command(List<String> arguments) throws IOException {
    return program(ClusterCommand.class, arguments);
  }

  /** Starts a program that uses these nodes. {@link #said} returns its output. */
  Process program(Class<?> main, List<String> arguments) throws IOException {
    ProcessBuilder builder =
        SpawnedCommand.builder(main, arguments.toArray(String[]::new))
            .redirectErrorStream(true)
            .redirectOutput(output());
    builder.environment().put("SLUICE_CASSANDRA_JAVA_HOME", folder.resolve("java").toString());
    builder.environment().put("SLUICE_CACHE", folder.resolve("cache").toString());
    builder.environment().put("SLUICE_ONE_ADDRESS", "1");
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Returns the output of the last command so far. */
  String said() {
    try {
      return Files.readString(output().toPath(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private File output() {
    return folder.resolve("output.txt").toFile();
  }

  /** Returns the running nodes, by the state file. */
  List<Integer> alive() {
    List<NodeProcess> nodes = Clusters.in(spec.dir());
    return IntStream.range(0, nodes.size()).filter(i -> nodes.get(i).alive()).boxed().toList();
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
    NodeProcess.killAll(Clusters.in(spec.dir()));
  }
}
