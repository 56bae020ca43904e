package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AgentReportTest {

  private static @Nullable AgentReport of(String line) {
    return AgentReport.fromPayload(
        Map.of("sluice-report", ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void a_report_is_the_line_of_the_agent() {
    assertThat(
            of(
                "enabled=true queuedLocalPoints=1 queuedRemotePoints=2 queuedRanges=3 overtakes=4"
                    + " aged=5 expired=6 unknown=7 widthsTold=8 ageLimitMillis=1000"))
        .isEqualTo(new AgentReport(true, 1, 2, 3, 4, 5, 7, 8, 1000));
  }

  @Test
  void another_version_of_the_agent_may_send_more_or_fewer_fields() {
    assertThat(of("news=1 enabled=false queuedRanges=many aged=-1 overtakes=9 odd"))
        .isEqualTo(new AgentReport(false, 0, 0, 0, 9, 0, 0, 0, 0));
  }

  @Test
  void any_other_payload_is_not_a_report() {
    assertThat(AgentReport.fromPayload(Map.of())).isNull();
    assertThat(of("")).isNull();
    assertThat(of("overtakes=4")).isNull();
  }

  @Test
  void a_node_that_echoes_payloads_counts_as_a_node_without_an_agent() {
    ByteBuffer line = ByteBuffer.wrap("enabled=true".getBytes(StandardCharsets.UTF_8));
    assertThat(AgentReport.fromPayload(Map.of("sluice-report", line))).isNotNull();
    assertThat(AgentReport.fromPayload(Map.of("sluice-report", line, "sluice-echo", line)))
        .isNull();
  }
}
