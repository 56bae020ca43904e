package io.sluice.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.hook.ReadStageMBean;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same jar in the other versions; {@code -Dit.allVersions} enables it. */
@EnabledIfSystemProperty(named = "it.allVersions", matches = "|true")
class VersionsIT {
  @ParameterizedTest
  @ValueSource(strings = {"4.0.19", "4.1.10", "6.0-alpha2"})
  void reads_are_classified_and_point_reads_overtake(String version) throws Exception {
    try (AgentNode node = AgentNode.withAgent("ntr=true", spec -> spec.withCassandra(version))) {
      Load.fill(node);
      try (Load load = new Load(node)) {
        List<Future<Load.Seen>> points = load.clients(8, Load.POINT);
        List<Future<Load.Seen>> narrow = load.clients(4, Load.NARROW);
        List<Future<Load.Seen>> wide = load.clients(12, Load.WIDE);
        load.runFor(4000);
        load.end();
        assertThat(Load.seenBy(points).failures()).isEmpty();
        assertThat(Load.seenBy(narrow).failures()).isEmpty();
        assertThat(Load.seenBy(wide).failures()).isEmpty();
      }
      ReadStageMBean stage = node.stage();
      System.out.println(version + ": " + stage.getReport());
      System.out.println(version + " NTR: " + node.nativeTransport().getReport());
      assertThat(stage.isEnabled()).isTrue();
      assertThat(stage.getOvertakes()).isGreaterThan(10);
      assertThat(stage.getUnknown()).isZero();
      assertThat(node.nativeTransport().getUnknown()).isZero();
      assertThat(node.agentsLines()).hasSize(2).noneMatch(line -> line.contains("WARN"));
    }
  }
}
