package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

class FrameTest {

  private static final int READ_BYTES = 512 * 1024;

  private final CountedBuffers buffers = new CountedBuffers();

  /** A frame of so many bytes, which lies in what a link has read at once. */
  private Frame inLargeRead(int bytes) {
    ByteBuf read = buffers.directBuffer(READ_BYTES).writeZero(READ_BYTES);
    try {
      return new Frame(read.readRetainedSlice(bytes));
    } finally {
      read.release();
    }
  }

  @Test
  void a_small_frame_that_waits_keeps_no_large_read_alive() {
    Frame frame = inLargeRead(250);
    String bytes = TestFrames.hex(frame);
    Frame waits = frame.compact();
    assertThat(TestFrames.hex(waits)).isEqualTo(bytes);
    assertThat(buffers.pinnedDirectMemory()).isLessThan(1_000);
    waits.release();
    assertThat(buffers.held()).isZero();
  }

  @Test
  void a_frame_that_is_most_of_what_was_read_stays_where_it_is() {
    Frame frame = inLargeRead(READ_BYTES / 2);
    assertThat(frame.compact()).isSameAs(frame);
    frame.release();
    assertThat(buffers.held()).isZero();
  }
}
