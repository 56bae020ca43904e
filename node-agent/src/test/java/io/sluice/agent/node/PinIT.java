package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.agent.Maps;
import io.sluice.agent.hook.PinMXBean;
import io.sluice.cluster.ClusterSpec;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Index files in the memory of a real node, according to the kernel's files about its process. */
class PinIT {
  private static final long BUDGET = 64 << 20;
  private static final int PARTITIONS = 3000;
  private static final List<String> TABLES = List.of("a", "b", "c");

  @Test
  void changes_of_sstables_are_followed() throws Exception {
    follows(spec -> spec);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.0.19", "4.1.10", "6.0-alpha2"})
  @EnabledIfSystemProperty(named = "it.allVersions", matches = "|true")
  void the_same_in_other_versions(String version) throws Exception {
    follows(spec -> spec.withCassandra(version));
  }

  @Test
  @EnabledIfSystemProperty(named = "it.allVersions", matches = "|true")
  void the_same_with_the_other_format() throws Exception {
    follows(
        spec ->
            spec.withYaml("sstable", Map.of("selected_format", "bti"))
                .withYaml("storage_compatibility_mode", "NONE"));
  }

  private static void follows(UnaryOperator<ClusterSpec> more) throws Exception {
    try (AgentNode node =
        AgentNode.withAgent("pin=64MiB", spec -> more.apply(spec.withHeap("512m")))) {
      try (RawCql cql = node.connect()) {
        fill(node, cql);
        PinMXBean pin = node.pin();
        awaitPinned(node, "agent.a", "agent.b", "agent.c");
        assertThat(pin.getMode()).isEqualTo("locked");
        assertThat(pin.getBudgetBytes()).isEqualTo(BUDGET);
        assertThat(pin.getResidentShare()).isEqualTo(1);

        int before = pin.getPinnedFiles();
        write(cql, "a");
        node.flush(Load.KEYSPACE);
        await().untilAsserted(() -> assertThat(pin.getPinnedFiles()).isGreaterThan(before));
        compact(node);
        await().untilAsserted(() -> assertThat(pin.getPinnedFiles()).isLessThanOrEqualTo(before));
        heldAsShown(node);

        cql.query("TRUNCATE agent.b", AgentNode.ONE);
        awaitPinned(node, "agent.a", "agent.c");
        cql.query("DROP TABLE agent.c", AgentNode.ONE);
        awaitPinned(node, "agent.a");

        pin.setEnabled(false);
        await().untilAsserted(() -> assertThat(locked(node)).isZero());
        pin.setEnabled(true);
        awaitPinned(node, "agent.a");
        assertThat(node.agentsLines())
            .filteredOn(line -> line.contains("index files"))
            .singleElement()
            .asString()
            .contains("INFO", "kept in memory, locked, up to " + BUDGET + " bytes");
      }
    }
  }

  private static void fill(AgentNode node, RawCql cql) throws IOException {
    cql.query("CREATE KEYSPACE agent WITH replication = " + node.replication(), AgentNode.ONE);
    for (String each : TABLES) {
      cql.query("CREATE TABLE agent." + each + " (k int PRIMARY KEY, v text)", AgentNode.ONE);
      write(cql, each);
    }
    node.flush(Load.KEYSPACE);
    for (String each : TABLES) {
      for (int k = 0; k < 50; k++) {
        cql.query("SELECT v FROM agent." + each + " WHERE k = " + k, AgentNode.ONE);
      }
    }
  }

  private static void write(RawCql cql, String table) throws IOException {
    for (int k = 0; k < PARTITIONS; k++) {
      cql.query("INSERT INTO agent." + table + " (k, v) VALUES (" + k + ", 'v')", AgentNode.ONE);
    }
  }

  private static void compact(AgentNode node) throws Exception {
    node.storageService(
        "forceKeyspaceCompaction",
        new Object[] {false, Load.KEYSPACE, new String[0]},
        "boolean",
        String.class.getName(),
        String[].class.getName());
  }

  private static void awaitPinned(AgentNode node, String... tables) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(node.pin().getPinnedBytesByTable()).containsOnlyKeys(tables);
              heldAsShown(node);
            });
  }

  /** Checks that the bean's bytes are those of the kernel, and that no deleted file is kept. */
  private static void heldAsShown(AgentNode node) throws Exception {
    await()
        .untilAsserted(
            () ->
                assertThat(locked(node))
                    .isEqualTo(node.pin().getPinnedBytes())
                    .isBetween(1L, BUDGET));
    await()
        .untilAsserted(
            () ->
                assertThat(Maps.of(node.data(), node.proc("maps")))
                    .noneMatch(line -> line.endsWith("(deleted)")));
  }

  private static long locked(AgentNode node) throws IOException {
    return Maps.lockedBytes(node.data(), node.proc("smaps"));
  }
}
