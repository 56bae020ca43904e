package io.sluice.it.cluster;

import com.github.dockerjava.api.DockerClient;
import io.sluice.cluster.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** A node in a container, reached at its own address. None of its ports is published. */
final class DockerNode implements ClusterUnderTest.Node {
  private static final int CQL_PORT = 9042;
  private static final int STOP_SECONDS = 30;
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final DockerClient docker = DockerClientFactory.lazyClient();
  private final DockerNetwork network;
  private final int index;
  private final GenericContainer<?> container;

  DockerNode(DockerNetwork network, int index, String image, Map<String, String> environment) {
    this.network = network;
    this.index = index;
    this.container =
        new GenericContainer<>(image)
            .withNetwork(network.network())
            .withNetworkAliases("cassandra-" + (index + 1))
            .withEnv(environment)
            .withCreateContainerCmdModifier(c -> c.withIpv4Address(network.address(index)))
            .waitingFor(
                Wait.forLogMessage(".*Starting listening for CQL clients.*", 1)
                    .withStartupTimeout(START_LIMIT));
  }

  GenericContainer<?> container() {
    return container;
  }

  @Override
  public InetSocketAddress address() {
    return new InetSocketAddress(network.address(index), CQL_PORT);
  }

  @Override
  public void kill() {
    docker.killContainerCmd(id()).exec();
  }

  @Override
  public void stop() {
    docker.stopContainerCmd(id()).withTimeout(STOP_SECONDS).exec();
  }

  @Override
  public void start() {
    if (!container.isRunning()) {
      docker.startContainerCmd(id()).exec();
      awaitListening();
    }
  }

  @Override
  public void pause() {
    docker.pauseContainerCmd(id()).exec();
  }

  @Override
  public void resume() {
    if (Boolean.TRUE.equals(docker.inspectContainerCmd(id()).exec().getState().getPaused())) {
      docker.unpauseContainerCmd(id()).exec();
    }
  }

  @Override
  public void isolate() {
    network.disconnect(id());
  }

  @Override
  public void rejoin() {
    if (!network.connects(id())) {
      network.connect(id(), index);
      awaitListening();
    }
  }

  @Override
  public void flush(String keyspace) {
    nodetool("flush", keyspace);
  }

  @Override
  public void refreshEstimates() {
    nodetool("refreshsizeestimates");
  }

  @Override
  public String logs() {
    return container.getLogs();
  }

  private void awaitListening() {
    Awaitility.await()
        .atMost(START_LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> Readiness.listens(address()));
  }

  private void nodetool(String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "nodetool";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    try {
      ExecResult ended = container.execInContainer(command);
      if (ended.getExitCode() != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + ": " + ended.getStdout() + ended.getStderr());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private String id() {
    return container.getContainerId();
  }
}
