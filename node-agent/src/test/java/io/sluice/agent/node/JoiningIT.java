package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.cluster.ClusterSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real nodes join with deferred syncs, are killed, and lose unsynced data. */
class JoiningIT {
  private static final long SEED = Long.getLong("sluice.it.seed", 1);
  private static final int ROUNDS = Integer.getInteger("sluice.it.rounds", 3);
  private static final int KILLS = 4;

  @Test
  void a_node_that_is_killed_while_it_joins_joins_again_and_has_every_row() throws Exception {
    try (Joining joining = Joining.start("join=true", 5, 200, JoiningIT::slowly)) {
      joining.joinAndKillAt(new Random(SEED).nextDouble(), null);
      joinsWithSyncsThatWait(joining);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0.19", "4.1.10", "6.0-alpha2"})
  @EnabledIfSystemProperty(named = "it.allVersions", matches = "|true")
  void a_node_joins_in_other_versions(String version) throws Exception {
    try (Joining joining =
        Joining.start("join=true", 5, 200, spec -> spec.withCassandra(version))) {
      joinsWithSyncsThatWait(joining);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "it.allVersions", matches = "|true")
  void a_node_joins_with_the_other_format() throws Exception {
    try (Joining joining =
        Joining.start(
            "join=true",
            5,
            200,
            spec ->
                spec.withYaml("sstable", Map.of("selected_format", "bti"))
                    .withYaml("storage_compatibility_mode", "NONE"))) {
      joinsWithSyncsThatWait(joining);
    }
  }

  private static void joinsWithSyncsThatWait(Joining joining) throws Exception {
    joining.join();
    Map<String, Long> report = joining.report();
    System.out.println(report);
    assertThat(report.get("filesSynced")).isPositive();
    assertThat(report.get("syncsPutOff")).isGreaterThan(report.get("filesSynced"));
    assertThat(report.get("filesWaiting")).isZero();
    assertThat(joining.agentsLines())
        .noneMatch(line -> line.contains("WARN"))
        .anyMatch(line -> line.matches(".*INFO.* received [0-9]+ files, [0-9]+ bytes; .*"));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(joining.sstables("whole.packed")).isLessThan(4));
    assertThat(joining.missing()).isZero();
  }

  @Test
  @Tag("long")
  void wherever_it_is_killed_no_row_is_missing() throws Exception {
    survives(false);
  }

  @Test
  @Tag("long")
  void wherever_it_loses_unsynced_data_no_row_is_missing() throws Exception {
    assumeTrue(PowerCut.isPossible(), "there is no strace");
    survives(true);
  }

  private static void survives(boolean loses) throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      String agent = System.getProperty("sluice.it.agent", "join=true");
      try (Joining joining = Joining.start(agent, 8, 200, JoiningIT::slowly)) {
        for (int kill = 0; kill < KILLS; kill++) {
          joining.joinAndKillAt(random.nextDouble(), loses ? random : null);
        }
        // The last kill comes after the node has joined.
        joining.joinAndKillAt(2, loses ? random : null);
        joining.join();
        assertThat(joining.missing()).isZero();
        assertThat(joining.log())
            .noneMatch(line -> line.contains("Corrupt") || line.contains("FSReadError"));
      }
    }
  }

  /** Slows the join down, so that there is time to kill the node. */
  private static ClusterSpec slowly(ClusterSpec spec) {
    return spec.withYaml("stream_throughput_outbound", "3MiB/s")
        .withYaml("entire_sstable_stream_throughput_outbound", "3MiB/s");
  }
}
