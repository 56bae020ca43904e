package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes that a JVM would start while it ends are not left running. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class EndOfJvmTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path temp = Path.of("");

  /** Starts a proxy while it ends, and prints what follows. */
  static final class LateProxy {
    private LateProxy() {}

    public static void main(String[] arguments) {
      Path folder = Path.of(arguments[0]);
      ProxySpec spec = new ProxySpec("sluice", List.of(), "dc1", 1, 1, "");
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    try {
                      ProxyProcess.start(folder.resolve("launcher"), folder, spec);
                    } catch (RuntimeException | InterruptedException e) {
                      System.out.println(e.getMessage());
                    }
                    System.out.println(ProcessHandle.current().children().count() + " left");
                  }));
    }
  }

  @Test
  void a_proxy_that_is_started_while_the_jvm_ends_is_ended() throws Exception {
    Path launcher = Files.writeString(temp.resolve("launcher"), "#!/bin/sh\nexec sleep 100\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));

    SpawnedCommand late = SpawnedCommand.run(temp, LateProxy.class, temp.toString());

    assertThat(late.out()).isEqualTo("Sluice is not started, because this JVM is ending\n0 left\n");
  }

  /**
   * Adds a node to the cluster in a folder. Ends when its process runs, and then, when that has
   * been ended, tries to start it again.
   */
  static final class LateNode {
    private LateNode() {}

    public static void main(String[] arguments) {
      ClusterSpec spec =
          ClusterSpec.defaults()
              .withDir(Path.of(arguments[0]))
              .withNodes(1, 1)
              .withPorts(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
      LocalCluster cluster = LocalCluster.open(spec, line -> {});
      Thread adding = new Thread(cluster::addNode);
      adding.setUncaughtExceptionHandler((thread, failure) -> {});
      adding.start();
      Waiting.until(LIMIT, () -> cluster.nodes().size() == 2 && cluster.node(1).alive());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> startAgain(cluster)));
      System.exit(0);
    }

    private static void startAgain(LocalCluster cluster) {
      LocalNode node = cluster.node(1);
      Waiting.until(LIMIT, () -> !node.alive());
      try {
        node.start();
      } catch (ClusterFailure e) {
        System.out.println(e.getMessage());
      }
      System.out.println(node.alive() ? "alive" : "not alive");
    }
  }

  @Test
  void no_node_is_started_while_the_jvm_ends() throws Exception {
    try (FakeNodes nodes = new FakeNodes(temp, 1)) {
      nodes.earlier(0);
      Process late =
          nodes.program(
              LateNode.class,
              List.of(
                  nodes.spec.dir().toString(),
                  String.valueOf(nodes.spec.ports().cql()),
                  String.valueOf(nodes.spec.ports().storage())));

      assertThat(late.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(nodes.said()).endsWith("is not started: this JVM is ending\nnot alive\n");
      assertThat(nodes.alive()).containsExactly(0);
    }
  }
}
