package io.sluice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.CapturedLog;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the lines about changes by operators, and how many there may be. */
class AuditLogTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final String HEAD = "{\"time\": \"2026-03-01T12:00:00Z\", \"event\": ";

  @RegisterExtension final CapturedLog log = CapturedLog.of("io.sluice.audit");

  private Instant now = NOON;

  private AuditLog audit(int lines) {
    return new AuditLog(new AuditConfig(false, false, true, lines), () -> now);
  }

  @Test
  void a_change_is_a_line_with_the_operator_the_old_name_and_the_new_value() {
    audit(20).changes().changed("ops", "setting", "cql.port", "9042", null);
    assertThat(log.lines())
        .containsExactly(
            HEAD
                + "\"changed\", \"by\": \"ops\", \"setting\": \"cql.port\", \"value\": \"9042\", "
                + "\"refused\": null, \"left_out\": 0}");
  }

  @Test
  void the_end_of_requests_is_a_line_with_at_most_a_hundred_of_them_in_order() {
    audit(20).ended("ops", List.of(7L, 3L), 1);
    audit(20).ended("ops", LongStream.rangeClosed(1, 101).boxed().toList(), 101);
    assertThat(log.lines().get(0))
        .isEqualTo(
            HEAD
                + "\"ended\", \"by\": \"ops\", \"requests\": 1, \"ids\": [3, 7], \"left_out\": 0}");
    assertThat(log.lines().get(1)).contains("\"requests\": 101").contains(", 100], \"left_out\"");
  }

  @Test
  void nothing_is_written_while_it_is_switched_off() {
    AuditLog audit = new AuditLog(AuditConfig.off(), () -> now);
    audit.changes().changed("ops", "setting", "a", "b", null);
    audit.ended("ops", List.of(1L), 1);
    assertThat(log.lines()).isEmpty();
    audit.change(new AuditConfig(false, false, true, 20));
    audit.changes().changed("ops", "setting", "a", "b", null);
    assertThat(log.lines()).hasSize(1);
  }

  @Test
  void a_long_text_is_cut() {
    audit(20).changes().changed("ops", "setting", "a", "x".repeat(500), "y".repeat(501));
    assertThat(log.lines().get(0))
        .contains("\"value\": \"" + "x".repeat(500) + "\"")
        .contains("\"refused\": \"" + "y".repeat(500) + "...\"");
  }

  @Test
  void lines_beyond_the_limit_of_a_second_are_counted_in_the_next_one() {
    AuditLog audit = audit(2);
    for (int i = 0; i < 5; i++) {
      audit.changes().changed("ops", "setting", "a", "b", null);
    }
    assertThat(log.lines()).hasSize(2);
    now = NOON.plusSeconds(1);
    audit.changes().changed("ops", "setting", "a", "b", null);
    assertThat(log.lines()).hasSize(3).last().asString().endsWith("\"left_out\": 3}");
  }

  /** So that a flood of one kind does not hide another. */
  @Test
  void each_kind_of_line_has_its_own_limit() {
    AuditLog audit = audit(1);
    audit.changes().changed("ops", "setting", "a", "b", null);
    audit.changes().changed("ops", "setting", "a", "b", null);
    audit.ended("ops", List.of(1L), 1);
    assertThat(log.lines()).hasSize(2).last().asString().contains("\"ended\"");
  }
}
