package io.sluice.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM arguments of one node: stock Cassandra's own, then what makes a small node start fast.
 */
final class NodeCommand {
  private static final List<String> STOCK =
      List.of(
          "-ea",
          "-da:net.openhft...",
          "-Xss512k",
          "-XX:+UseThreadPriorities",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+PerfDisableSharedMem",
          "-Djava.net.preferIPv4Stack=true",
          "-Djdk.nio.maxCachedBufferSize=1048576",
          "-Djdk.attach.allowAttachSelf=true",
          "-Dio.netty.tryReflectionSetAccessible=true",
          "-Dio.netty.allocator.useCacheForAllThreads=true",
          "-Dio.netty.allocator.maxOrder=11");
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.util",
          "java.base/java.lang.ref",
          "java.base/sun.nio.ch",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.sql/java.sql",
          "jdk.attach/sun.tools.attach",
          "jdk.compiler/com.sun.tools.javac.file",
          "jdk.unsupported/sun.misc");
  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.ref",
          "java.base/java.lang.reflect",
          "java.base/java.math",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/java.util.concurrent.locks",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "jdk.compiler/com.sun.tools.javac",
          "jdk.management/com.sun.management.internal");

  // A joining node gives up when, after this time, it has not yet seen every owner of its future
  // ranges up; nodes that form a ring have nothing to stream and need not wait.
  private static final int JOINING_MILLIS = 6000;
  private static final int FORMING_MILLIS = 2000;

  private NodeCommand() {}

  /** Every argument after {@code java}, main class included. */
  static List<String> of(ClusterSpec spec, NodePlan node, List<Path> jars, List<String> archive) {
    List<String> args = new ArrayList<>();
    jars.stream()
        .filter(jar -> jar.getFileName().toString().matches("jamm-[0-9.]+\\.jar"))
        .forEach(jar -> args.add("-javaagent:" + jar));
    args.addAll(List.of("-Xms" + spec.heap(), "-Xmx" + spec.heap()));
    if (spec.jvmArgs().stream().noneMatch(a -> a.matches("-XX:\\+Use[A-Za-z0-9]*GC"))) {
      args.add("-XX:+UseSerialGC");
    }
    args.addAll(STOCK);
    EXPORTS.forEach(p -> args.add("--add-exports=" + p + "=ALL-UNNAMED"));
    OPENS.forEach(p -> args.add("--add-opens=" + p + "=ALL-UNNAMED"));
    args.addAll(archive);
    args.addAll(properties(spec, node));
    args.addAll(spec.jvmArgs());
    args.add("-cp");
    args.add(String.join(File.pathSeparator, jars.stream().map(Path::toString).toList()));
    args.add("org.apache.cassandra.service.CassandraDaemon");
    return args;
  }

  private static List<String> properties(ClusterSpec spec, NodePlan node) {
    return List.of(
        "-Djava.security.manager=allow",
        "-Djava.io.tmpdir=" + node.dir().resolve("tmp"),
        "-Djna.tmpdir=" + node.dir().resolve("tmp"),
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

  /** The text of a Java argument file: one quoted argument a line. */
  static String argumentFile(List<String> args) {
    StringBuilder text = new StringBuilder();
    for (String arg : args) {
      text.append('"').append(arg.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"\n");
    }
    return text.toString();
  }
}
