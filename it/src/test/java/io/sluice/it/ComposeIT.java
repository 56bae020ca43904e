package io.sluice.it;

import static io.sluice.it.Clients.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The compose file, used as in the README: three nodes and Sluice. */
@CassandraCluster(needs = Capability.CONTAINERS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComposeIT {
  private static final Duration READY_LIMIT = Duration.ofMinutes(3);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Compose compose;

  ComposeIT() throws IOException, InterruptedException {
    compose = new Compose();
  }

  @BeforeAll
  void three_nodes_and_sluice_are_ready_within_three_minutes() throws Exception {
    long began = System.nanoTime();
    compose.run("up", "-d");
    Duration left = READY_LIMIT.minusNanos(System.nanoTime() - began);
    await().atMost(left).ignoreExceptions().until(() -> get("readyz").statusCode() == 200);
  }

  @AfterAll
  void down() throws Exception {
    compose.down();
  }

  @Test
  void cqlsh_works_through_it() throws Exception {
    Path python = Clients.ready("python").resolve("bin");
    Clients.Ended cqlsh =
        Clients.run(
            command(
                python.resolve("python"),
                python.resolve("cqlsh"),
                compose.address().getHostString(),
                compose.address().getPort(),
                "-e",
                "SELECT cluster_name FROM system.local"),
            Path.of("."));

    assertThat(cqlsh.status()).as(cqlsh.errors()).isZero();
    assertThat(cqlsh.output()).contains("sluice", "(1 rows)");
  }

  @Test
  @Tag("long")
  void a_killed_node_costs_no_read() throws Exception {
    Target sluice = new Target("Sluice", true, compose.address(), "slu_");
    LoadTable table = LoadTable.create(sluice, "compose");
    try (Load load = new Load(sluice, 2, 8, table::read)) {
      Waiting.aMoment(1_000);
      compose.run("kill", "cassandra-2");
      int before = load.answered();
      Waiting.aMoment(5_000);
      List<Load.Answered> answers = load.end();

      assertThat(load.faults()).isEmpty();
      assertThat(answers).filteredOn(Load.Answered::failed).as("failed reads").isEmpty();
      assertThat(answers).as("answers").hasSizeGreaterThan(before + 100);
    }
  }

  /** Needs no images: it only checks that the file is valid and that its mounts exist. */
  @Test
  void the_files_of_its_monitoring_exist() throws Exception {
    String config = compose.run("--profile", "monitoring", "config");
    Path docker = Path.of("..", "docker");

    assertThat(config).contains("prom/prometheus", "grafana/grafana");
    assertThat(docker.resolve("monitoring/grafana/datasources/prometheus.yml")).isNotEmptyFile();
    assertThat(Files.readString(docker.resolve("monitoring/prometheus.yml")))
        .contains("sluice:9043", "[sluice-2, sluice-3]");
    assertThat(get("metrics").body()).contains("sluice_");
  }

  private HttpResponse<String> get(String page) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(compose.adminPage() + page)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
