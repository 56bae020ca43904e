package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.Maps;
import io.sluice.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of the agent in a real node: the node serves reads as without the agent, and the log has
 * one line with the reason. Each fault has a node of its own.
 */
class FaultsIT {
  private static final String EXECUTOR = "org.apache.cassandra.concurrent.SEPExecutor";
  private static final String TRACKER = "org.apache.cassandra.db.lifecycle.Tracker";
  private static final String TIDIER =
      "org.apache.cassandra.db.lifecycle.LogTransaction$SSTableTidier";
  private static final String RECEIVER =
      "org.apache.cassandra.db.streaming.CassandraStreamReceiver";
  private static final String JOIN_HOOK = "io/sluice/agent/hook/JoinHook";
  private static final String READ_STAGE = "io.sluice:type=ReadStage";
  private static final String WORKER = "org.apache.cassandra.concurrent.SEPWorker";

  @TempDir private Path folder;

  @Test
  void a_version_it_does_not_know_runs_stock() throws Exception {
    Path resource = folder.resolve("org/apache/cassandra/config/version.properties");
    Files.createDirectories(resource.getParent());
    Files.writeString(resource, "CassandraVersion=9.9.9\n");
    try (AgentNode node =
        AgentNode.withAgent("", spec -> spec.withJvmArg("-Xbootclasspath/a:" + folder))) {
      assertThat(servesAsStock(node)).contains("the agent does not support Cassandra 9.9.9");
    }
  }

  @Test
  @Tag("long")
  void an_argument_it_does_not_know_runs_stock() throws Exception {
    try (AgentNode node = AgentNode.withAgent("ageLimit=5,ntr=maybe", spec -> spec)) {
      assertThat(servesAsStock(node))
          .contains("'ageLimit=5' is not one of")
          .contains("ntr can be true or false, not 'maybe'");
    }
  }

  @Test
  @Tag("long")
  void the_system_property_switches_it_off() throws Exception {
    try (AgentNode node =
        AgentNode.withAgent("", spec -> spec.withJvmArg("-Dsluice.agent.enabled=false"))) {
      assertThat(servesAsStock(node)).contains("the agent is switched off");
    }
  }

  @Test
  @Tag("long")
  void an_executor_without_the_field_stays_stock() throws Exception {
    String faults = EXECUTOR + ":tasks:tesks," + WORKER + ":tasks:tesks";
    try (AgentNode node = withFaultBefore(faults)) {
      assertThat(servesAsStock(node))
          .contains(EXECUTOR + " is not as expected, it has no queue 'tasks'");
    }
  }

  @Test
  @Tag("long")
  void a_linkage_error_in_the_hook_itself_leaves_the_executor_stock() throws Exception {
    String name = "io/sluice/agent/hook/StageHook";
    try (AgentNode node =
        withFaultAfter(EXECUTOR + ":" + name + ":" + "io/sluice/agent/hook/StageHoox")) {
      serves(node);
      assertThat(node.agentsBeans()).isEmpty();
    }
  }

  @Test
  void a_linkage_error_inside_the_agent_leaves_the_executor_stock() throws Exception {
    try (AgentNode node = withFaultBefore("io.sluice.agent.queue.StageOrder")) {
      assertThat(servesAsStock(node))
          .contains("the stage ReadStage is not ordered")
          .contains("ClassFormatError");
    }
  }

  @Test
  @Tag("long")
  void tasks_that_cannot_be_classified_end_the_order_and_no_read() throws Exception {
    try (AgentNode node =
        withFaultBefore(
            "org.apache.cassandra.service.StorageProxy$LocalReadRunnable:command:commend")) {
      serves(node);
      assertThat(node.stage().isEnabled()).isFalse();
      assertThat(node.stage().getUnknown()).isGreaterThanOrEqualTo(1000);
      assertThat(node.agentsLines())
          .filteredOn(line -> line.startsWith("WARN"))
          .singleElement()
          .asString()
          .contains("more than half of the last 1000 tasks of ReadStage")
          .contains("LocalReadRunnable.command");
    }
  }

  @Test
  void a_linkage_error_in_the_pin_room_leaves_reads_ordered_and_files_alone() throws Exception {
    try (AgentNode node = withFaultBefore("io.sluice.agent.pin.PinEngine", "=pin=64MiB")) {
      assertThat(pinsNothing(node)).contains("ClassFormatError");
    }
  }

  @Test
  @Tag("long")
  void a_linkage_error_at_the_pin_rooms_door_leaves_reads_ordered() throws Exception {
    try (AgentNode node = withFaultBefore("io.sluice.agent.pin.Holds", "=pin=64MiB")) {
      assertThat(pinsNothing(node)).contains("ClassFormatError");
    }
  }

  @Test
  @Tag("long")
  void deletions_that_cannot_be_followed_end_the_pin_room() throws Exception {
    try (AgentNode node = withFaultBefore(TIDIER + ":desc:dexc", "=pin=64MiB")) {
      assertThat(pinsNothing(node)).contains(TIDIER + " is not as expected, it has no 'desc'");
    }
  }

  @Test
  @Tag("long")
  void a_linkage_error_in_the_hook_of_a_tracker_pins_nothing() throws Exception {
    String name = "io/sluice/agent/hook/PinHook";
    String fault = TRACKER + ":" + name + ":" + "io/sluice/agent/hook/PinHoox";
    try (AgentNode node = withFaultAfter(fault, "=pin=64MiB")) {
      serves(node);
      compacts(node);
      assertThat(node.agentsBeans()).extracting(Object::toString).containsOnly(READ_STAGE);
    }
  }

  @Test
  @Tag("long")
  void a_linkage_error_in_the_join_room_defers_no_sync() throws Exception {
    assertThat(joinsAsStock(fault("io.sluice.agent.join.WaitingSyncs"), agent("=join=true")))
        .singleElement()
        .asString()
        .contains("syncs of streamed files are not deferred, the agent failed", "ClassFormatError");
  }

  @Test
  @Tag("long")
  void a_receiver_whose_commit_cannot_be_followed_defers_no_sync() throws Exception {
    String fault = RECEIVER + ":finishTransaction:finishTransactiox";
    assertThat(joinsAsStock(fault(fault), agent("=join=true")))
        .singleElement()
        .asString()
        .contains(RECEIVER + " is not as expected, it has no 'finishTransaction'");
  }

  @Test
  @Tag("long")
  void a_linkage_error_in_the_hook_of_a_receiver_defers_no_sync() throws Exception {
    String fault = RECEIVER + ":" + JOIN_HOOK + ":" + JOIN_HOOK.replace("Hook", "Hoox");
    assertThat(joinsAsStock(agent("=join=true"), fault(fault))).isEmpty();
  }

  @Test
  @Tag("long")
  void linkage_errors_in_the_hooks_of_files_that_are_written_as_a_whole_lose_nothing()
      throws Exception {
    String faults =
        Stream.of("FileUtils", "ChecksumWriter", "FileOutputStreamPlus")
            .map(each -> "org.apache.cassandra.io.util." + each)
            .map(each -> each + ":" + JOIN_HOOK + ":" + JOIN_HOOK.replace("Hook", "Hoox"))
            .collect(Collectors.joining(","));
    String argument = fault(faults);
    try (Joining joining =
        Joining.start(
            null, 2, 100, spec -> spec.withJvmArg(agent("=join=true")).withJvmArg(argument))) {
      joining.join();
      assertThat(joining.report().get("syncsPutOff")).isPositive();
      assertThat(joining.missing()).isZero();
    }
  }

  /**
   * Checks that a node joins with every row and without deferred syncs. Returns the agent's lines
   * about it.
   */
  private static List<String> joinsAsStock(String... jvmArgs) throws Exception {
    try (Joining joining =
        Joining.start(
            null,
            2,
            100,
            spec -> {
              ClusterSpec changed = spec;
              for (String each : jvmArgs) {
                changed = changed.withJvmArg(each);
              }
              return changed;
            })) {
      joining.join();
      assertThat(joining.report()).isEmpty();
      assertThat(joining.missing()).isZero();
      return joining.agentsLines().stream()
          .filter(line -> !line.contains("ReadStage is ordered"))
          .toList();
    }
  }

  private String fault(String faults) throws IOException {
    return "-javaagent:" + FaultAgent.jarIn(folder) + "=" + faults;
  }

  private static String agent(String arguments) {
    return "-javaagent:" + AgentNode.agentJar() + arguments;
  }

  /**
   * Checks that a node orders its reads, compacts, and pins nothing. Returns the agent's line about
   * it.
   */
  private static String pinsNothing(AgentNode node) throws Exception {
    serves(node);
    compacts(node);
    assertThat(node.agentsBeans()).extracting(Object::toString).containsOnly(READ_STAGE);
    assertThat(Maps.lockedBytes(node.data(), node.proc("smaps"))).isZero();
    List<String> lines =
        node.agentsLines().stream()
            .filter(line -> !line.contains("ReadStage is ordered"))
            .filter(line -> !line.contains("index files are kept in memory"))
            .toList();
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  private static void compacts(AgentNode node) throws Exception {
    node.flush(Load.KEYSPACE);
    node.storageService(
        "forceKeyspaceCompaction",
        new Object[] {false, Load.KEYSPACE, new String[0]},
        "boolean",
        String.class.getName(),
        String[].class.getName());
  }

  private AgentNode withFaultBefore(String faults) throws IOException {
    return withFaultBefore(faults, "");
  }

  private AgentNode withFaultBefore(String faults, String arguments) throws IOException {
    String fault = fault(faults);
    return AgentNode.start(spec -> spec.withJvmArg(fault).withJvmArg(agent(arguments)));
  }

  private AgentNode withFaultAfter(String faults) throws IOException {
    return withFaultAfter(faults, "");
  }

  private AgentNode withFaultAfter(String faults, String arguments) throws IOException {
    String fault = fault(faults);
    return AgentNode.start(spec -> spec.withJvmArg(agent(arguments)).withJvmArg(fault));
  }

  /**
   * Checks that a node answers every read and has no bean of the agent. Returns the agent's only
   * line.
   */
  private static String servesAsStock(AgentNode node) throws Exception {
    serves(node);
    assertThat(node.agentsBeans()).isEmpty();
    List<String> lines = node.agentsLines();
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  private static void serves(AgentNode node) throws Exception {
    Load.fill(node);
    try (Load load = new Load(node)) {
      List<Future<Load.Seen>> points = load.clients(8, Load.POINT);
      List<Future<Load.Seen>> ranges = load.clients(8, Load.NARROW);
      load.runFor(2000);
      load.end();
      for (List<Future<Load.Seen>> each : List.of(points, ranges)) {
        Load.Seen seen = Load.seenBy(each);
        assertThat(seen.failures()).isEmpty();
        assertThat(seen.nanos()).isNotEmpty();
      }
    }
  }
}
