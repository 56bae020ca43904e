package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parts of a response that are read in place. */
class AnswersTest {

  private static final int SET_KEYSPACE = 3;
  private static final int TRACING_ID_BYTES = 16;

  /** After the header, kind, an id of two bytes, flags, and the number of variables. */
  private static final int KEY_COLUMNS_AT = Frame.HEADER_LENGTH + 4 + 4 + 4 + 4;

  /** Returns a RESULT of this kind, after a tracing id if {@code flags} says so. */
  private static Frame result(int kind, int flags) {
    ByteBuf all = Unpooled.buffer().writeZero(Frame.HEADER_LENGTH);
    if (flags != 0) {
      all.writeZero(TRACING_ID_BYTES);
    }
    Frame frame = Frame.response(all.writeInt(kind), 4, 0, Opcode.RESULT);
    frame.setFlags(flags);
    return frame;
  }

  @Test
  void the_kind_of_a_result_is_read_after_its_prefix() {
    assertThat(Answers.isSetKeyspace(result(SET_KEYSPACE, 0))).isTrue();
    assertThat(Answers.isSetKeyspace(result(SET_KEYSPACE, Frame.FLAG_TRACING))).isTrue();
    assertThat(Answers.isSetKeyspace(result(SET_KEYSPACE + 1, Frame.FLAG_TRACING))).isFalse();
  }

  /** The buffer may be longer than the frame, and then no buffer would refuse the read. */
  @Test
  void no_byte_after_the_frame_is_read() {
    ByteBuf longer = Unpooled.buffer().writeZero(Frame.HEADER_LENGTH + Short.BYTES);
    Frame cut = Frame.response(longer, 4, 0, Opcode.RESULT);
    assertThatThrownBy(() -> Answers.isSetKeyspace(cut))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 30, 1 << 20, -1, Integer.MIN_VALUE})
  void key_columns_that_end_outside_a_prepared_answer_are_malformed(int count) {
    Frame prepared = TestFrames.prepared(4, TestFrames.id("id"), "k");
    prepared.bytes().setInt(KEY_COLUMNS_AT, count);
    assertThatThrownBy(() -> Answers.statementMetadata(prepared))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
