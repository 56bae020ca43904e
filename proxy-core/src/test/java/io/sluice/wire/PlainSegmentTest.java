package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that small segments have the bytes of the vendor's codec. */
class PlainSegmentTest {

  private final UnpooledByteBufAllocator alloc = new UnpooledByteBufAllocator(true);
  private final PlainSegment segments = new PlainSegment();

  private byte[] vendors(byte[] payload) {
    List<Object> parts = new ArrayList<>();
    new SegmentCodec<>(new ByteBufPrimitiveCodec(alloc), Compression.NONE.compressor())
        .encode(new Segment<>(alloc.directBuffer().writeBytes(payload), true), parts);
    ByteBuf whole = Unpooled.wrappedBuffer(parts.toArray(ByteBuf[]::new));
    byte[] bytes = ByteBufUtil.getBytes(whole);
    whole.release();
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 100, 255, 256, 8_192, (1 << 17) - 1})
  void frames_become_the_vendors_segment(int length) {
    byte[] payload = new byte[length];
    new Random(length).nextBytes(payload);
    int first = length / 3;

    for (int round = 0; round < 2; round++) {
      ArrayDeque<ByteBuf> frames = new ArrayDeque<>();
      frames.add(alloc.directBuffer().writeBytes(payload, 0, first));
      frames.add(alloc.heapBuffer().writeBytes(payload, first, length - first));
      ByteBuf segment = segments.encode(frames, length, alloc);

      assertThat(ByteBufUtil.getBytes(segment)).isEqualTo(vendors(payload));
      segment.release();
      assertThat(frames).isEmpty();
    }
    assertThat(alloc.metric().usedDirectMemory() + alloc.metric().usedHeapMemory()).isZero();
  }
}
