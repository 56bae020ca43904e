package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Permit;
import io.sluice.ring.NodeId;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests what the scheduler learns from an answer: the rows read, which may differ from those
 * returned.
 */
class PermitOutcomeTest {

  private final List<String> learned = new ArrayList<>();

  private final Permit permit =
      new Permit() {
        @Override
        public NodeId node() {
          return new NodeId(new UUID(0, 1));
        }

        @Override
        public void sent() {}

        @Override
        public void finish(long rows, long bytes) {
          learned.add(rows + " rows, " + (bytes > 0 ? "sized" : "empty"));
        }

        @Override
        public void finishAsExpected(long bytes) {
          learned.add("as expected, " + (bytes > 0 ? "sized" : "empty"));
        }

        @Override
        public void finishOverloaded() {
          learned.add("overloaded");
        }

        @Override
        public void finishAbandoned() {
          learned.add("abandoned");
        }
      };

  private void rows(@Nullable Kind kind) {
    ByteBuffer cell = ByteBuffer.allocate(4);
    Frame answer = new TestRows("k int").row(cell).row(cell).frame();
    PermitOutcome.finish(permit, answer, -1, kind);
    answer.release();
  }

  private void error(int code) {
    Frame answer = CqlCodec.error(4, ErrorCode.INVALID, "of any kind");
    PermitOutcome.finish(permit, answer, code, Kind.EVERY);
    answer.release();
  }

  @Test
  void a_scan_has_read_the_rows_it_returns() {
    rows(Kind.EVERY);
    assertThat(learned).containsExactly("2 rows, sized");
  }

  @Test
  void an_aggregate_or_a_filter_has_read_the_expected_rows() {
    rows(Kind.AGGREGATE);
    rows(Kind.SOME);
    assertThat(learned).containsExactly("as expected, sized", "as expected, sized");
  }

  @Test
  void a_point_read_is_counted_by_its_bytes() {
    rows(null);
    assertThat(learned).containsExactly("-1 rows, sized");
  }

  @Test
  void overloaded_and_read_timeout_count_as_overload_and_other_errors_do_not() {
    error(ErrorCode.OVERLOADED);
    error(ErrorCode.READ_TIMEOUT);
    error(ErrorCode.INVALID);
    error(ErrorCode.UNAVAILABLE);
    assertThat(learned).containsExactly("overloaded", "overloaded", "abandoned", "abandoned");
  }
}
