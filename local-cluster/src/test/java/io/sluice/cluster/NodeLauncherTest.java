package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The start of a node: its files, its arguments, its log. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class NodeLauncherTest {
  @TempDir private Path temp = Path.of("");

  /** Launches the second node of two with the script instead of a JVM, and waits for its end. */
  static final class Main {
    private Main() {}

    /** Takes the cluster's folder, then further arguments of the node's JVM. */
    public static void main(String[] args) throws InterruptedException {
      ClusterSpec spec = spec(Path.of(args[0]));
      for (String arg : List.of(args).subList(1, args.length)) {
        spec = spec.withJvmArg(arg);
      }
      RingPlan ring = new RingPlan(spec, false);
      for (NodePlan node : ring.nodes()) {
        new NodeLauncher(spec, List.of(Path.of("/a.jar")), Path.of(args[0]))
            .launch(node, ring.seeds())
            .waitFor(60, TimeUnit.SECONDS);
      }
    }
  }

  private static ClusterSpec spec(Path dir) {
    return ClusterSpec.defaults().withDir(dir).withNodes(2, 1);
  }

  private SpawnedCommand launch(String java, String... further) throws Exception {
    Path script = Files.createDirectories(temp.resolve("jdk").resolve("bin")).resolve("java");
    Files.writeString(script, "#!/bin/sh\n" + java + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    String[] arguments = new String[further.length + 1];
    arguments[0] = temp.resolve("cluster").toString();
    System.arraycopy(further, 0, arguments, 1, further.length);
    ProcessBuilder builder = SpawnedCommand.builder(Main.class, arguments);
    builder.environment().put("SLUICE_CASSANDRA_JAVA_HOME", temp.resolve("jdk").toString());
    return SpawnedCommand.finish(temp, builder);
  }

  private NodePlan node(int index) {
    return new RingPlan(spec(temp.resolve("cluster")), false).nodes().get(index);
  }

  private List<String> arguments(int index) throws IOException {
    return Files.readAllLines(node(index).jvmArgs());
  }

  @Test
  void a_node_runs_in_its_folder_with_its_argument_file_and_writes_its_log() throws Exception {
    launch("pwd; echo \"$@\"; echo trouble >&2");

    assertThat(Files.readAllLines(node(1).log()))
        .containsExactly(node(1).dir().toString(), "@" + node(1).jvmArgs(), "trouble");
  }

  @Test
  void a_node_is_started_through_the_prefix_if_there_is_one() throws Exception {
    Path script = Files.createDirectories(temp.resolve("bin")).resolve("prefix");
    Files.writeString(script, "#!/bin/sh\necho through $1\nshift\nexec \"$@\"\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    ClusterSpec spec =
        spec(temp.resolve("cluster")).withPrefix(List.of(script.toString(), "a control group"));
    RingPlan ring = new RingPlan(spec, false);

    Process node = new NodeLauncher(spec, List.of(), temp).launch(node(0), ring.seeds());
    node.waitFor(60, TimeUnit.SECONDS);

    assertThat(Files.readAllLines(node(0).log()).get(0)).isEqualTo("through a control group");
  }

  @Test
  void a_second_start_appends_to_the_same_log() throws Exception {
    launch("echo first");
    launch("echo second");

    assertThat(Files.readAllLines(node(0).log())).containsExactly("first", "second");
  }

  @Test
  void a_node_finds_its_configuration_and_an_empty_folder_for_temporary_files() throws Exception {
    launch("true");

    assertThat(Files.readString(node(1).dir().resolve("cassandra.yaml")))
        .contains("native_transport_port: 19043", "'127.0.0.1:17000,127.0.0.1:17001'");
    assertThat(Files.readString(node(1).dir().resolve("logback.xml"))).contains("ConsoleAppender");
    assertThat(node(1).dir().resolve("tmp")).isEmptyDirectory();
    assertThat(arguments(1))
        .contains(
            "\"-Djava.io.tmpdir=" + node(1).dir().resolve("tmp") + "\"",
            "\"-Dcassandra.storagedir=" + node(1).dir() + "\"",
            "\"org.apache.cassandra.service.CassandraDaemon\"");
  }

  @Test
  void the_first_node_records_the_archive_of_classes_and_the_second_does_not() throws Exception {
    launch("true");

    assertThat(ClassArchive.isRecording(node(0).dir())).isTrue();
    assertThat(arguments(0)).anyMatch(arg -> arg.contains("ArchiveClassesAtExit"));
    assertThat(ClassArchive.isRecording(node(1).dir())).isFalse();
  }

  /** An agent, for example, changes the classes, so the archive would not be valid for others. */
  @Test
  void a_node_with_additional_arguments_records_nothing() throws Exception {
    launch("true", "-Da=b");

    assertThat(ClassArchive.isRecording(node(0).dir())).isFalse();
    assertThat(arguments(0)).contains("\"-Da=b\"");
  }

  @Test
  void an_existing_archive_is_used_by_all_nodes() throws Exception {
    launch("true");
    Files.writeString(node(0).dir().resolve("classes.jsa"), "");
    ClassArchive.keep(node(0).dir());

    launch("true");

    assertThat(arguments(0)).anyMatch(arg -> arg.contains("SharedArchiveFile"));
    assertThat(arguments(1)).anyMatch(arg -> arg.contains("SharedArchiveFile"));
  }

  @Test
  void a_folder_that_cannot_be_created_is_a_failure_that_names_the_node() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");
    ClusterSpec spec = spec(file);
    RingPlan ring = new RingPlan(spec, false);

    assertThatThrownBy(
            () -> new NodeLauncher(spec, List.of(), temp).launch(ring.nodes().get(0), ring.seeds()))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageStartingWith("node 1 (127.0.0.1:19042) cannot be started: ");
  }
}
