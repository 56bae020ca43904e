package io.sluice.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The JVM arguments of a node: those of stock Cassandra, then those that make a small node start
 * fast.
 */
final class NodeCommand {

  // A joining node fails if it has not seen every owner of its future ranges up after this time.
  // Nodes that form a ring have nothing to stream and need not wait.
  private static final int JOINING_MILLIS = 6000;
  private static final int FORMING_MILLIS = 2000;

  /** The images of {@code docker/} start Cassandra with this file too. */
  private static final String STOCK = "jvm17-server.options";

  private NodeCommand() {}

  /** Returns all arguments after {@code java}, including the main class. */
  static List<String> of(ClusterSpec spec, NodePlan node, List<Path> jars, List<String> archive) {
    List<String> args = new ArrayList<>();
    jars.stream()
        .filter(jar -> jar.getFileName().toString().matches("jamm-[0-9.]+\\.jar"))
        .forEach(jar -> args.add("-javaagent:" + jar));
    args.addAll(List.of("-Xms" + spec.jvm().heap(), "-Xmx" + spec.jvm().heap()));
    if (spec.jvm().args().stream().noneMatch(a -> a.matches("-XX:\\+Use[A-Za-z0-9]*GC"))) {
      args.add("-XX:+UseSerialGC");
    }
    args.addAll(stock());
    args.addAll(archive);
    args.addAll(properties(spec, node));
    args.addAll(spec.jvm().args());
    args.add("-cp");
    args.add(String.join(File.pathSeparator, jars.stream().map(Path::toString).toList()));
    args.add("org.apache.cassandra.service.CassandraDaemon");
    return args;
  }

  private static List<String> stock() {
    try (InputStream file = NodeCommand.class.getResourceAsStream(STOCK)) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> line.startsWith("-")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> properties(ClusterSpec spec, NodePlan node) {
    return List.of(
        "-Djava.security.manager=allow",
        "-Djava.io.tmpdir=" + node.dir().resolve("tmp"),
        "-Djna.tmpdir=" + node.dir().resolve("tmp"),
        "-Dcassandra-rackdc.properties=" + node.rackdc().toUri(),
        "-Dcassandra.config=" + node.dir().resolve("cassandra.yaml").toUri(),
        "-Dlogback.configurationFile=" + node.dir().resolve("logback.xml").toUri(),
        "-Dcassandra.storagedir=" + node.dir(),
        "-Dcassandra.logdir=" + node.dir(),
        "-Dcassandra-foreground=yes",
        "-Dcassandra.ring_delay_ms=" + (node.joins() ? JOINING_MILLIS : FORMING_MILLIS),
        "-Dcassandra.skip_wait_for_gossip_to_settle=0",
        "-Dcassandra.superuser_setup_delay_ms=500",
        "-Dcassandra.system_auth.default_rf=" + Math.min(3, spec.nodes()));
  }

  /** Returns the text of a Java argument file: one quoted argument per line. */
  static String argumentFile(List<String> args) {
    StringBuilder text = new StringBuilder();
    for (String arg : args) {
      text.append('"').append(arg.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"\n");
    }
    return text.toString();
  }
}
