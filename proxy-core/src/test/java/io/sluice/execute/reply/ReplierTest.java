package io.sluice.execute.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.sluice.accept.ReplyTo;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of errors, cell by cell. */
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
    new Replier().fail(to, 4, kind, consistency, failure);
    assertThat(frames).hasSize(1);
    return frames.get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "overloaded,  1001, 1001, 1001",
    "unreachable, 1000, 1000, 0000",
    "unknown,     1200, 1100, 0000",
    "refused,     2100, 2100, 2100",
    "internal,    0000, 0000, 0000"
  })
  void each_failure_has_the_error_cassandra_would_give(
      String failure, String read, String write, String other) {
    for (RequestKind kind : RequestKind.values()) {
      String expected =
          switch (kind) {
            case READ -> read;
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
  void a_time_out_names_the_level_that_was_asked_for_and_one_missing_answer() {
    Frame read = told(RequestKind.READ, 6, new Failure.Unknown("why"));
    assertThat(TestFrames.hex(read))
        .isEqualTo(
            "8400000000"
                + "00000014"
                + "00001200"
                + "0003776879"
                + "0006"
                + "00000000"
                + "00000001"
                + "00");
    read.release();
  }

  @ParameterizedTest
  @CsvSource({
    "SIMPLE_WRITE, SIMPLE",
    "LOGGED_BATCH, BATCH",
    "UNLOGGED_BATCH, UNLOGGED_BATCH",
    "COUNTER_BATCH, COUNTER",
    "CONDITIONAL_WRITE, CAS"
  })
  void a_writes_time_out_says_what_kind_of_write_it_was(RequestKind kind, String type) {
    Frame frame = told(kind, 1, new Failure.Unknown("why"));
    String written = ByteBufUtil.hexDump(type.getBytes(StandardCharsets.US_ASCII));
    assertThat(TestFrames.hex(frame)).endsWith("%04x".formatted(type.length()) + written);
    frame.release();
  }
}
