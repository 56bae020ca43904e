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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that segments have the bytes of the vendor's codec. */
class PlainSegmentTest {

  private final UnpooledByteBufAllocator alloc = new UnpooledByteBufAllocator(true);
  private final PlainSegment segments = new PlainSegment();

  private byte[] vendors(byte[] payload, boolean selfContained) {
    List<Object> parts = new ArrayList<>();
    new SegmentCodec<>(new ByteBufPrimitiveCodec(alloc), Compression.NONE.compressor())
        .encode(new Segment<>(alloc.directBuffer().writeBytes(payload), selfContained), parts);
    ByteBuf whole = Unpooled.wrappedBuffer(parts.toArray(ByteBuf[]::new));
    byte[] bytes = ByteBufUtil.getBytes(whole);
    whole.release();
    return bytes;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private long used() {
    return alloc.metric().usedDirectMemory() + alloc.metric().usedHeapMemory();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9, 100, 255, 256, 8_192, (1 << 17) - 1})
  void frames_become_the_vendors_segment(int length) {
    byte[] payload = random(length);
    int first = length / 3;

    for (int round = 0; round < 2; round++) {
      ArrayDeque<ByteBuf> frames = new ArrayDeque<>();
      frames.add(alloc.directBuffer().writeBytes(payload, 0, first));
      frames.add(alloc.heapBuffer().writeBytes(payload, first, length - first));
      ByteBuf segment = segments.join(frames, length, alloc);

      assertThat(ByteBufUtil.getBytes(segment)).isEqualTo(vendors(payload, true));
      segment.release();
      assertThat(frames).isEmpty();
    }
    assertThat(used()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_payload_in_parts_becomes_the_vendors_segment_without_a_copy(boolean selfContained) {
    byte[] bytes = random(100_000);
    ByteBuf inner =
        alloc
            .compositeBuffer()
            .addComponent(true, alloc.directBuffer().writeBytes(bytes, 0, 10))
            .addComponent(true, alloc.heapBuffer().writeBytes(bytes, 10, 60_000));
    ByteBuf payload =
        alloc
            .compositeBuffer()
            .addComponent(true, inner)
            .addComponent(true, alloc.directBuffer().writeBytes(bytes, 60_010, 39_990));
    long before = used();

    ByteBuf segment = segments.wrap(payload, selfContained, alloc);

    assertThat(used() - before).isLessThan(1_000);
    assertThat(ByteBufUtil.getBytes(segment)).isEqualTo(vendors(bytes, selfContained));
    segment.release();
    assertThat(used()).isZero();
  }

  @Test
  void a_part_of_a_buffer_becomes_the_vendors_segment() {
    byte[] bytes = random(1_000);
    ByteBuf buffer = alloc.directBuffer().writeBytes(bytes);

    ByteBuf segment = segments.wrap(buffer.retainedSlice(100, 800), false, alloc);

    assertThat(ByteBufUtil.getBytes(segment))
        .isEqualTo(vendors(Arrays.copyOfRange(bytes, 100, 900), false));
    segment.release();
    buffer.release();
    assertThat(used()).isZero();
  }
}
