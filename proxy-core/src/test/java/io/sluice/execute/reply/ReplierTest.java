package io.sluice.execute.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the table of errors, cell by cell. */
class ReplierTest {

  private static Failure failure(String kind) {
    return switch (kind) {
      case "overloaded" -> new Failure.Overloaded("why");
      case "unreachable" -> new Failure.Unreachable("why");
      case "unknown" -> new Failure.Unknown("why");
      case "refused" -> new Failure.Refused(0x2100, "why");
      default -> new Failure.Internal("why");
    };
  }

  private static Frame told(RequestKind kind, int consistency, Failure failure) {
    List<Frame> frames = new ArrayList<>();
    ReplyTo to =
        new ReplyTo() {
          @Override
          public void reply(Frame answer) {
            frames.add(answer);
          }

          @Override
          public boolean isOpen() {
            return true;
          }
        };
    new Replier().fail(to, 4, kind, consistency, 3, failure);
    assertThat(frames).hasSize(1);
    return frames.get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded,  1001, 1001, 1001, 1001, 1001",
    "unreachable, 1000, 1000, 0000, 0000, 0000",
    "unknown,     1200, 1100, 1003, 1100, 0000",
    "refused,     2100, 2100, 2100, 2100, 2100",
    "internal,    0000, 1100, 1003, 1100, 0000"
  })
  void each_failure_has_the_error_of_cassandra(
      String failure, String read, String write, String truncate, String change, String other) {
    for (RequestKind kind : RequestKind.values()) {
      String expected =
          switch (kind) {
            case READ -> read;
            case TRUNCATE -> truncate;
            case CHANGE -> change;
            case OTHER -> other;
            default -> write;
          };
      Frame frame = told(kind, 1, failure(failure));
      assertThat("%04x".formatted(Answers.errorCode(frame))).as("%s", kind).isEqualTo(expected);
      assertThat(Answers.errorMessage(frame)).isEqualTo("why");
      frame.release();
    }
  }

  @Test
  void a_timeout_names_the_consistency_level_and_its_number_of_replicas() {
    Frame read = told(RequestKind.READ, 6, new Failure.Unknown("why"));
    assertThat(TestFrames.hex(read))
        .isEqualTo(
            "8400000000"
                + "00000014"
                + "00001200"
                + "0003776879"
                + "0006"
                + "00000000"
                + "00000002"
                + "00");
    read.release();
  }

  /** Levels by their codes: ANY, ONE, TWO, THREE, QUORUM, ALL, LOCAL_QUORUM, LOCAL_ONE. */
  @ParameterizedTest
  @CsvSource({
    "3, '0=1 1=1 2=2 3=3 4=2 5=3 6=2 8=2 9=2 10=1'",
    "5, '0=1 1=1 2=2 3=3 4=3 5=5 6=3 8=3 9=3 10=1'",
    "0, '0=1 1=1 2=2 3=3 4=1 5=1 6=1 8=1 9=1 10=1'"
  })
  void a_consistency_level_requires_the_replicas_that_cassandra_requires(
      int replicas, String levels) {
    for (String level : levels.split(" ", -1)) {
      int[] pair = Arrays.stream(level.split("=", -1)).mapToInt(Integer::parseInt).toArray();
      assertThat(Consistency.required(pair[0], replicas)).as(level).isEqualTo(pair[1]);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SIMPLE_WRITE, SIMPLE",
    "LOGGED_BATCH, BATCH",
    "UNLOGGED_BATCH, UNLOGGED_BATCH",
    "COUNTER_BATCH, COUNTER",
    "CONDITIONAL_WRITE, CAS",
    "CONDITIONAL_BATCH, CAS",
    "CHANGE, SIMPLE"
  })
  void a_write_timeout_names_the_write_type(RequestKind kind, String type) {
    Frame frame = told(kind, 1, new Failure.Unknown("why"));
    String written = ByteBufUtil.hexDump(type.getBytes(StandardCharsets.US_ASCII));
    assertThat(TestFrames.hex(frame)).endsWith("%04x".formatted(type.length()) + written);
    frame.release();
  }
}
