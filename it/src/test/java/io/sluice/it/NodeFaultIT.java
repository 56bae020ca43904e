package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node is killed, paused, restarted or cut off while clients read and write at ONE with three
 * replicas. Every request gets one response, no read fails, and five seconds later everything is as
 * before.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.PAUSE})
class NodeFaultIT {
  private static final int CONNECTIONS = 4;
  private static final int STREAMS = 8;
  private static final long RECOVERY_NANOS = 5_000_000_000L;

  /** Below all timeouts: no request waits for a lost node. */
  private static final long SLOW_MILLIS = 4_500;

  /**
   * A write at a node that is cut off ends at its deadline, 18 s by the settings of the nodes. That
   * is a second more than a write of a counter may wait and run there.
   */
  private static final long LONGEST_MILLIS = 19_500;

  private final Stage stage = Stage.plain();

  @BeforeEach
  void only_the_proxy_has_this_to_show() {
    stage.needsProxy();
  }

  @Test
  void a_killed_node_costs_no_read_and_comes_back_unnoticed() throws Exception {
    Node node = stage.cluster().node(1);
    LoadTable table = LoadTable.create(stage.sluice(), "killed");
    node.flushSchema();
    try (Load load = new Load(stage.sluice(), CONNECTIONS, STREAMS, table::readOrWrite)) {
      Waiting.aMoment(2_000);
      long killed = System.nanoTime();
      node.kill();
      Waiting.aMoment(8_000);
      long started = System.nanoTime();
      load.easedWhile(node::start);
      long serving = System.nanoTime();
      Waiting.aMoment(7_000);
      judge(load, List.of(killed), started, serving);
    } finally {
      node.start();
    }
  }

  @Test
  void a_paused_node_costs_no_read() throws Exception {
    Node node = stage.cluster().node(2);
    LoadTable table = LoadTable.create(stage.sluice(), "paused");
    try (Load load = new Load(stage.sluice(), CONNECTIONS, STREAMS, table::readOrWrite)) {
      Waiting.aMoment(2_000);
      long paused = System.nanoTime();
      node.pause();
      Waiting.aMoment(9_000);
      long resumed = System.nanoTime();
      node.resume();
      Waiting.aMoment(7_000);
      judge(load, List.of(paused), resumed, resumed);
    } finally {
      node.resume();
    }
  }

  @Test
  @Tag("long")
  void a_restarted_node_costs_no_read() throws Exception {
    Node node = stage.cluster().node(0);
    LoadTable table = LoadTable.create(stage.sluice(), "restarted");
    try (Load load = new Load(stage.sluice(), CONNECTIONS, STREAMS, table::readOrWrite)) {
      Waiting.aMoment(2_000);
      long stopping = System.nanoTime();
      node.stop();
      long stopped = System.nanoTime();
      Waiting.aMoment(2_000);
      long starting = System.nanoTime();
      load.easedWhile(node::start);
      long serving = System.nanoTime();
      Waiting.aMoment(7_000);
      judge(load, List.of(stopping, stopped), starting, serving);
    } finally {
      node.start();
    }
  }

  @Test
  @CassandraCluster(needs = Capability.PARTITION)
  void a_node_that_is_cut_off_costs_no_read() throws Exception {
    Node node = stage.cluster().node(1);
    LoadTable table = LoadTable.create(stage.sluice(), "cutoff");
    try (Load load = new Load(stage.sluice(), CONNECTIONS, STREAMS, table::readOrWrite)) {
      Waiting.aMoment(2_000);
      long cutOff = System.nanoTime();
      node.isolate();
      Waiting.aMoment(9_000);
      long back = System.nanoTime();
      node.rejoin();
      Waiting.aMoment(7_000);
      judge(load, List.of(cutOff), back, back);
    } finally {
      node.rejoin();
    }
  }

  /**
   * Checks the responses. Between {@code busyFrom} and {@code busyTo} a starting node uses the
   * machine's cores.
   */
  private static void judge(Load load, List<Long> faults, long busyFrom, long busyTo)
      throws Exception {
    List<Load.Answered> answers = load.end();
    assertThat(load.faults()).as("requests not answered exactly once").isEmpty();
    assertThat(answers).as("answers").hasSizeGreaterThan(1_000);
    assertThat(summary(answers.stream().filter(a -> a.read() && a.failed()).toList()))
        .as("failed reads of " + answers.size())
        .isEmpty();
    List<Load.Answered> late =
        answers.stream()
            .filter(
                a ->
                    faults.stream()
                        .allMatch(f -> a.started() < f || a.started() > f + RECOVERY_NANOS))
            .filter(a -> a.started() < busyFrom || a.started() > busyTo + RECOVERY_NANOS)
            .toList();
    List<Load.Answered> cut =
        answers.stream()
            .filter(a -> faults.stream().anyMatch(f -> a.started() < f && a.ended() > f))
            .toList();
    assertThat(summary(late.stream().filter(a -> a.failed() && !cut.contains(a)).toList()))
        .as("failed when recovered")
        .isEmpty();
    assertThat(
            late.stream()
                .filter(a -> !cut.contains(a))
                .mapToLong(Load.Answered::millis)
                .max()
                .orElse(0))
        .as("slowest when recovered, ms")
        .isLessThan(SLOW_MILLIS);
    assertThat(answers.stream().filter(Load.Answered::failed).count())
        .as("failed writes: " + summary(answers.stream().filter(Load.Answered::failed).toList()))
        .isLessThanOrEqualTo((long) CONNECTIONS * STREAMS * 2 * faults.size());
    assertThat(
            answers.stream()
                .max(Comparator.comparingLong(Load.Answered::millis))
                .orElseThrow()
                .millis())
        .as("slowest of all, ms")
        .isLessThan(LONGEST_MILLIS);
  }

  private static Map<String, Long> summary(List<Load.Answered> failed) {
    return failed.stream()
        .collect(
            Collectors.groupingBy(
                a -> (a.read() ? "read " : "write ") + a.outcome(),
                TreeMap::new,
                Collectors.counting()));
  }
}
