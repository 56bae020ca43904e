package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.hook.ReadStageMBean;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads between two nodes that both have all data. Clients of the first node cause reads at both.
 * {@code -Dit.allVersions} enables it.
 */
@EnabledIfSystemProperty(named = "it.allVersions", matches = "|true")
class RemoteIT {
  @ParameterizedTest
  @ValueSource(strings = {"4.0.19", "4.1.10", "5.0.9", "6.0-alpha2"})
  void the_other_node_knows_remote_reads_and_the_coordinators_width(String version)
      throws Exception {
    try (AgentNode nodes =
        AgentNode.withAgent("", spec -> spec.withCassandra(version).withNodes(2, 2))) {
      Load.fill(nodes);
      int mostRemotePoints = 0;
      try (Load load = new Load(nodes, AgentNode.ALL)) {
        List<Future<Load.Seen>> points = load.clients(16, Load.HEAVY_POINT);
        List<Future<Load.Seen>> ranges = load.clients(8, Load.MIDDLE);
        load.runFor(1000);
        for (int i = 0; i < 60; i++) {
          load.runFor(50);
          mostRemotePoints =
              Math.max(mostRemotePoints, nodes.stageOfTheOther().getQueuedRemotePoints());
        }
        load.end();
        assertThat(Load.seenBy(points).failures()).isEmpty();
        assertThat(Load.seenBy(ranges).failures()).isEmpty();
      }
      ReadStageMBean other = nodes.stageOfTheOther();
      System.out.println(version + ", other node: " + other.getReport());
      assertThat(other.getUnknown()).isZero();
      assertThat(other.getOvertakes()).isPositive();
      assertThat(other.getWidthsTold()).isPositive();
      assertThat(mostRemotePoints).isPositive();
      assertThat(nodes.agentsLines()).noneMatch(line -> line.contains("WARN"));
    }
  }
}
