package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

class FrameTest {

  private static final int READ_BYTES = 512 * 1024;

  private final CountedBuffers buffers = new CountedBuffers();

  /** Returns a frame of this length, as a slice of a link's read buffer. */
  private Frame inLargeRead(int bytes) {
    ByteBuf read = buffers.directBuffer(READ_BYTES).writeZero(READ_BYTES);
    try {
      return new Frame(read.readRetainedSlice(bytes));
    } finally {
      read.release();
    }
  }

  @Test
  void a_small_waiting_frame_retains_no_large_read_buffer() {
    Frame frame = inLargeRead(250);
    String bytes = TestFrames.hex(frame);
    Frame waits = frame.compact(0);
    assertThat(TestFrames.hex(waits)).isEqualTo(bytes);
    assertThat(buffers.pinnedDirectMemory()).isLessThan(1_000);
    waits.release();
    assertThat(buffers.held()).isZero();
  }

  @Test
  void a_frame_that_fills_most_of_its_read_buffer_is_not_copied() {
    Frame frame = inLargeRead(READ_BYTES / 2);
    assertThat(frame.compact(0)).isSameAs(frame);
    frame.release();
    assertThat(buffers.held()).isZero();
  }

  @Test
  void a_read_buffer_that_is_not_large_is_retained() {
    Frame frame = inLargeRead(250);
    assertThat(frame.compact(READ_BYTES)).isSameAs(frame);
    assertThat(frame.compact(READ_BYTES - 1)).isNotSameAs(frame).satisfies(Frame::release);
    assertThat(buffers.held()).isZero();
  }
}
