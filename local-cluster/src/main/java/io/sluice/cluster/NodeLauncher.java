package io.sluice.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a node's configuration and starts its process, detached from this terminal. */
final class NodeLauncher {
  private static final int FIRST_JAVA_WITHOUT_SECURITY_MANAGER = 24;
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder>
            <pattern>%-5level [%thread] %date{ISO8601} %F:%L - %msg%n</pattern>
          </encoder>
        </appender>
        <logger name="org.apache.cassandra" level="INFO"/>
        <root level="INFO">
          <appender-ref ref="out"/>
        </root>
      </configuration>
      """;

  private final ClusterSpec spec;
  private final List<Path> jars;
  private final ClassArchive archive;
  private final Path java;

  NodeLauncher(ClusterSpec spec, List<Path> jars, Path archiveFolder) {
    this.spec = spec;
    this.jars = jars;
    Path home = javaHome();
    this.java = home.resolve("bin").resolve("java");
    this.archive = new ClassArchive(archiveFolder, home, jars);
  }

  /** Starts the node. All its output goes to its log. */
  Process launch(NodePlan node, String seeds) {
    try {
      Files.createDirectories(node.dir().resolve("tmp"));
      Files.writeString(node.dir().resolve("cassandra.yaml"), CassandraYaml.of(spec, node, seeds));
      Files.writeString(node.dir().resolve("logback.xml"), LOGBACK);
      Files.writeString(node.rackdc(), CassandraYaml.rackdc(spec, node));
      Files.writeString(
          node.jvmArgs(),
          NodeCommand.argumentFile(NodeCommand.of(spec, node, jars, archiveArgs(node))));
      List<String> command = new ArrayList<>(spec.jvm().prefix());
      command.addAll(List.of(java.toString(), "@" + node.jvmArgs()));
      return new ProcessBuilder(OwnSession.of(command))
          .directory(node.dir().toFile())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(node.log().toFile()))
          .start();
    } catch (IOException e) {
      throw new ClusterFailure(node.name() + " cannot be started: " + e.getMessage(), e);
    }
  }

  /** The first node of a version records the archive; all later nodes use it. */
  private List<String> archiveArgs(NodePlan node) throws IOException {
    if (archive.exists()) {
      return archive.use();
    }
    boolean records = node.index() == 0 && spec.jvm().args().isEmpty();
    return records ? archive.record(node.dir()) : List.of();
  }

  private static Path javaHome() {
    String chosen = System.getenv("SLUICE_CASSANDRA_JAVA_HOME");
    if (chosen != null && !chosen.isBlank()) {
      return Path.of(chosen);
    }
    if (Runtime.version().feature() >= FIRST_JAVA_WITHOUT_SECURITY_MANAGER) {
      throw new ClusterFailure(
          "Cassandra does not run on Java "
              + Runtime.version().feature()
              + "; set SLUICE_CASSANDRA_JAVA_HOME to a Java 17");
    }
    return Path.of(System.getProperty("java.home"));
  }
}
