package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.agent.hook.ReadStageMBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The agent in a Cassandra 5.0.9 node, which all tests share. The last test stops the node. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OrderIT {
  private static AgentNode node;

  @BeforeAll
  static void start() throws Exception {
    node = AgentNode.withAgent("", spec -> spec);
    Load.fill(node);
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Test
  @Order(1)
  void reads_are_classified_and_point_reads_overtake() throws Exception {
    mixedLoad(2000);

    ReadStageMBean stage = node.stage();
    assertThat(stage.isEnabled()).isTrue();
    assertThat(stage.getOvertakes()).isGreaterThan(10);
    assertThat(stage.getUnknown()).isZero();
    assertThat(stage.getWidthsTold()).as("by the coordinator").isPositive();
    assertThat(stage.getReport()).contains("enabled=true", "unknown=0", "queuedRanges=0");
    assertThat(node.agentsLines())
        .singleElement()
        .asString()
        .contains("ReadStage is ordered, age limit 1000 ms");
  }

  @Test
  @Order(2)
  void switched_off_it_is_first_in_first_out_at_once_and_nothing_is_lost() throws Exception {
    ReadStageMBean stage = node.stage();
    try (Load load = new Load(node)) {
      List<Future<Load.Seen>> points = load.clients(8, Load.POINT);
      List<Future<Load.Seen>> ranges = load.clients(16, Load.WIDE);
      load.runFor(1000);
      stage.setEnabled(false);
      long overtakes = stage.getOvertakes();
      load.runFor(1000);
      assertThat(stage.getOvertakes()).isEqualTo(overtakes);
      stage.setEnabled(true);
      // If the clients share their cores, the queue may be empty for moments, and nothing
      // overtakes.
      for (int seconds = 0; seconds < 30 && stage.getOvertakes() == overtakes; seconds++) {
        load.runFor(1000);
      }
      assertThat(stage.getOvertakes()).isGreaterThan(overtakes);
      for (int i = 0; i < 25; i++) {
        stage.setEnabled(i % 2 == 1);
        load.runFor(20);
      }
      stage.setEnabled(true);
      load.end();
      assertThat(Load.seenBy(points).failures()).isEmpty();
      assertThat(Load.seenBy(ranges).failures()).isEmpty();
    }
    assertThat(stage.getQueuedLocalPoints() + stage.getQueuedRanges()).isZero();
  }

  @Test
  @Order(3)
  void under_an_endless_point_load_range_reads_run_within_the_age_limit() throws Exception {
    mixedLoad(100);
    ReadStageMBean stage = node.stage();
    long aged = stage.getAged();
    // The clients can keep one thread busy on any machine.
    resizeReadStage(1);
    try (Load load = new Load(node)) {
      List<Future<Load.Seen>> points = load.clients(80, Load.HEAVY_POINT);
      load.runFor(1000);
      long began = System.nanoTime();
      List<Future<Load.Seen>> ranges = load.clients(2, Load.NARROW);
      long agedMeanwhile = 0;
      // If the clients share their cores, the queue may be empty for moments, and no read ages.
      for (int seconds = 0; seconds < 4 || (seconds < 30 && agedMeanwhile < 2); seconds++) {
        load.runFor(1000);
        agedMeanwhile = stage.getAged() - aged;
      }
      assertThat(stage.getQueuedLocalPoints()).as("the point load never lets go").isPositive();
      long lasted = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      load.end();
      Load.Seen seen = Load.seenBy(ranges);
      assertThat(Load.seenBy(points).failures()).isEmpty();
      assertThat(seen.failures()).isEmpty();
      assertThat(seen.maxMillis()).as("no range read waits for the end").isLessThan(lasted);
      assertThat(seen.nanos()).hasSizeGreaterThan(1);
      assertThat(agedMeanwhile).isGreaterThan(1);
    }
  }

  @Test
  @Order(4)
  void the_pool_can_be_resized_while_reads_wait() throws Exception {
    try (Load load = new Load(node)) {
      List<Future<Load.Seen>> points = load.clients(8, Load.POINT);
      List<Future<Load.Seen>> ranges = load.clients(16, Load.WIDE);
      for (int threads : new int[] {8, 3, 16, 4, 2}) {
        load.runFor(400);
        resizeReadStage(threads);
      }
      load.end();
      assertThat(Load.seenBy(points).failures()).isEmpty();
      assertThat(Load.seenBy(ranges).failures()).isEmpty();
    }
  }

  @Test
  @Order(5)
  void a_request_may_bring_a_hint_good_or_bad_and_may_ask_for_the_report() {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(node.address())
            .withLocalDatacenter("datacenter1")
            .build()) {
      ByteBuffer nothing = ByteBuffer.allocate(0);
      ResultSet asked =
          session.execute(
              SimpleStatement.newInstance("SELECT key FROM system.local")
                  .setCustomPayload(Map.of("sluice-report", nothing)));
      ByteBuffer report = asked.getExecutionInfo().getIncomingPayload().get("sluice-report");
      assertThat(StandardCharsets.UTF_8.decode(report.duplicate()).toString())
          .startsWith("enabled=true")
          .contains("unknown=0");

      for (byte[] hint : new byte[][] {{1, 0, 2, 0, 0, 1, 0}, {1, -1, -1, -1, -1, -1, -1}, {7}}) {
        ResultSet rows =
            session.execute(
                SimpleStatement.newInstance(Load.NARROW)
                    .setCustomPayload(Map.of("sluice", ByteBuffer.wrap(hint))));
        assertThat(rows.all()).hasSize(50);
      }

      ResultSet silent = session.execute("SELECT key FROM system.local");
      assertThat(silent.getExecutionInfo().getIncomingPayload()).isEmpty();
    }
  }

  @Test
  @Order(6)
  void the_node_drains_and_stops_as_without_the_agent() throws Exception {
    try (Load load = new Load(node)) {
      load.clients(8, Load.POINT);
      load.clients(16, Load.WIDE);
      load.runFor(1000);
      node.storageService("drain", new Object[0]);
      assertThat(node.log()).anyMatch(line -> line.endsWith("DRAINED"));
    }
    long began = System.nanoTime();
    node.stop();

    assertThat(node.alive()).isFalse();
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isLessThan(30);
    assertThat(node.log()).noneMatch(line -> line.contains("NullPointerException"));
  }

  private static void resizeReadStage(int threads) throws Exception {
    node.storageService(
        "setConcurrency", new Object[] {"READ", -1, threads}, "java.lang.String", "int", "int");
  }

  private static void mixedLoad(long millis) throws Exception {
    try (Load load = new Load(node)) {
      List<Future<Load.Seen>> points = load.clients(8, Load.POINT);
      List<Future<Load.Seen>> ranges = load.clients(16, Load.WIDE);
      load.runFor(millis);
      load.end();
      assertThat(Load.seenBy(points).failures()).isEmpty();
      assertThat(Load.seenBy(ranges).failures()).isEmpty();
    }
  }
}
