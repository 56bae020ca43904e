package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** The properties of the image that its README promises to operators. */
@CassandraCluster(needs = io.sluice.it.cluster.Capability.CONTAINERS)
class ImageIT {
  private static final long MOST_BYTES = 300_000_000;
  private static final int CQL_PORT = 9042;
  private static final String ANYBODY = "10001";

  private static final DockerClient DOCKER = DockerClientFactory.lazyClient();
  private static final GenericContainer<?> SLUICE = new GenericContainer<>("sluice:local");

  @BeforeAll
  static void start() {
    SLUICE
        .withNetwork(LoneCassandra.network())
        .withExposedPorts(CQL_PORT)
        .withEnv("SLUICE_CONTACT_POINTS", LoneCassandra.CONTACT_POINT)
        .withEnv("SLUICE_LOCAL_DC", "datacenter1")
        .withCreateContainerCmdModifier(command -> bareHost(command.getHostConfig()))
        .waitingFor(Wait.forHealthcheck())
        .start();
  }

  /** Gives the container nothing to write to, and no capabilities. */
  private static void bareHost(HostConfig host) {
    host.withReadonlyRootfs(true)
        .withCapDrop(Capability.ALL)
        .withSecurityOpts(List.of("no-new-privileges:true"));
  }

  @AfterAll
  static void stop() {
    SLUICE.stop();
  }

  @Test
  void it_serves_on_a_read_only_root_file_system_without_a_capability_and_writes_nothing() {
    InetSocketAddress published =
        new InetSocketAddress(SLUICE.getHost(), SLUICE.getMappedPort(CQL_PORT));
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(published)
            .withLocalDatacenter("datacenter1")
            .build()) {
      assertThat(session.execute("SELECT key FROM system.local").one()).isNotNull();
    }
    InspectContainerResponse inspected = SLUICE.getCurrentContainerInfo();
    assertThat(inspected.getHostConfig().getReadonlyRootfs()).isTrue();
    assertThat(inspected.getMounts()).as("places to write to").isEmpty();
    assertThat(DOCKER.containerDiffCmd(SLUICE.getContainerId()).exec())
        .as("written")
        .isNullOrEmpty();
  }

  @Test
  void it_runs_as_an_unprivileged_user() throws Exception {
    assertThat(image().getConfig().getUser()).isEqualTo(ANYBODY + ":" + ANYBODY);
    assertThat(SLUICE.execInContainer("id", "-u").getStdout().strip()).isEqualTo(ANYBODY);
    assertThat(SLUICE.execInContainer("sh", "-c", "echo x > /opt/sluice/x").getExitCode())
        .isNotZero();
  }

  @Test
  void its_labels_have_version_and_commit() {
    Map<String, String> labels = image().getConfig().getLabels();

    assertThat(labels).containsEntry("org.opencontainers.image.title", "Sluice");
    assertThat(labels.get("org.opencontainers.image.version")).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(labels.get("org.opencontainers.image.revision")).matches("[0-9a-f]{40}(-dirty)?");
  }

  @Test
  void it_is_small() {
    assertThat(image().getSize()).as("bytes").isLessThan(MOST_BYTES);
  }

  @Test
  void its_health_is_that_of_the_proxy() throws Exception {
    assertThat(image().getConfig().getHealthcheck()).isNotNull();
    assertThat(ready()).as("before").isZero();
    LoneCassandra.pause();
    try {
      await().atMost(Waiting.PATIENCE).until(() -> ready() != 0);
    } finally {
      LoneCassandra.resume();
    }
    await().atMost(Waiting.PATIENCE).until(() -> ready() == 0);
  }

  /** Returns the exit code of the image's own health check. */
  private static int ready() throws IOException, InterruptedException {
    List<String> test = image().getConfig().getHealthcheck().getTest();
    return SLUICE
        .execInContainer(test.subList(1, test.size()).toArray(String[]::new))
        .getExitCode();
  }

  private static InspectImageResponse image() {
    return DOCKER.inspectImageCmd(SLUICE.getDockerImageName()).exec();
  }
}
