package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.it.cluster.LocalImages;
import io.sluice.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.utility.DockerImageName;

/**
 * The compose file of {@code docker/}, run as a user runs it, with its own project name and ports.
 * Uses {@code docker compose} if it exists, else {@code docker-compose}.
 */
final class Compose {
  private static final Path FILE = Path.of("..", "docker", "compose.yml");

  private final int port = FreePorts.next();
  private final int adminPort = FreePorts.next();
  private final List<String> command;

  /** Creates an object without starting anything. */
  Compose() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("env"));
    command.add("CASSANDRA_IMAGE=" + chosen("cassandra:5.0"));
    command.add("SLUICE_IMAGE=" + chosen("sluice:local"));
    command.add("CASSANDRA_HEAP=400M");
    command.add("SLUICE_PORT=" + port);
    command.add("SLUICE_ADMIN_PORT=" + adminPort);
    command.addAll(installed());
    command.addAll(List.of("-p", "sluice-it-" + port, "-f", FILE.toString()));
    this.command = List.copyOf(command);
  }

  private static String chosen(String usual) {
    return new LocalImages().apply(DockerImageName.parse(usual)).asCanonicalNameString();
  }

  private static List<String> installed() throws IOException, InterruptedException {
    List<String> plugin = List.of("docker", "compose");
    return Clients.run(Clients.command("docker", "compose", "version"), Path.of(".")).status() == 0
        ? plugin
        : List.of("docker-compose");
  }

  /** Runs a command, such as {@code up -d}. Returns its output. */
  String run(String... arguments) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of(arguments));
    Clients.Ended ended = Clients.run(whole, Path.of("."));
    assertThat(ended.status()).as("%s: %s", whole, ended.errors()).isZero();
    return ended.output();
  }

  /** Returns the CQL address of Sluice. */
  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Returns the URL of its admin page. */
  String adminPage() {
    return "http://127.0.0.1:" + adminPort + "/";
  }

  /** Stops all containers, and removes their volumes and networks. */
  void down() throws IOException, InterruptedException {
    run("down", "--volumes", "--timeout", "5");
  }
}
