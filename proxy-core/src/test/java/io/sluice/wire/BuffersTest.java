package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuffersTest {

  private static final long BYTES = 96 << 20;

  private final List<ByteBuf> held = new ArrayList<>();

  @AfterEach
  void release() {
    held.forEach(ByteBuf::release);
    assertThat(Buffers.POOL.exactBytes()).as("of released buffers").isZero();
  }

  /** The memory budget counts the bytes of buffers, and is half of the memory by default. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        66_000, 132_000, 263_000, 525_000, 787_000, 1_048_000, 1_049_000, 1_574_000, 2_150_000,
        4_194_000, 4_195_000
      })
  void buffers_take_at_most_half_more_memory_than_their_bytes(int bytes) {
    long before = Buffers.POOL.takenBytes();
    for (long sum = 0; sum < BYTES; sum += bytes) {
      held.add(Buffers.POOL.ioBuffer(bytes));
    }
    assertThat(Buffers.POOL.takenBytes() - before).isLessThan(BYTES + BYTES / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void only_buffers_of_more_than_a_quarter_of_a_chunk_are_not_pooled(int more) {
    int bytes = Buffers.POOL.largestPooled() + more;
    held.add(Buffers.POOL.directBuffer(bytes));
    assertThat(Buffers.POOL.exactBytes()).isEqualTo(more == 0 ? 0 : bytes);
  }
}
