package io.sluice.wire;

import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.util.Crc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.zip.CRC32;

/**
 * The encoder of uncompressed segments, in the format of the native protocol v5. Not safe for
 * several threads.
 */
final class PlainSegment {

  private static final int HEADER_LENGTH = 6;

  /** The bytes of a segment besides its payload: header and checksum. */
  static final int OVERHEAD = HEADER_LENGTH + Integer.BYTES;

  private static final long SELF_CONTAINED = 1L << 17;

  /** The bytes that each CRC32 covers before the payload, as the protocol defines. */
  private static final byte[] CRC32_START = {(byte) 0xFA, 0x2D, 0x55, (byte) 0xCA};

  private final CRC32 crc32 = new CRC32();

  /**
   * Returns a self-contained segment of these frames as one buffer. Removes and releases them.
   *
   * @param length the length of all frames together, in bytes
   */
  ByteBuf join(Queue<ByteBuf> frames, int length, ByteBufAllocator alloc) {
    ByteBuf segment = alloc.ioBuffer(OVERHEAD + length);
    writeHeader(segment, length, true);
    for (ByteBuf next = frames.poll(); next != null; next = frames.poll()) {
      segment.writeBytes(next);
      next.release();
    }
    return segment.writeIntLE(crc32(segment.slice(segment.readerIndex() + HEADER_LENGTH, length)));
  }

  /**
   * Returns a segment with this payload, which is not copied. Takes the payload over.
   *
   * @param payload at most {@link Segment#MAX_PAYLOAD_LENGTH} bytes, in any number of parts
   * @param selfContained false for a part of one frame
   */
  ByteBuf wrap(ByteBuf payload, boolean selfContained, ByteBufAllocator alloc) {
    ByteBuf ends = alloc.ioBuffer(OVERHEAD);
    writeHeader(ends, payload.readableBytes(), selfContained);
    ends.writeIntLE(crc32(payload));
    return alloc
        .compositeBuffer(3)
        .addComponent(true, ends.readRetainedSlice(HEADER_LENGTH))
        .addComponent(true, payload)
        .addComponent(true, ends);
  }

  private static void writeHeader(ByteBuf out, int length, boolean selfContained) {
    long header = length | (selfContained ? SELF_CONTAINED : 0);
    out.writeMediumLE((int) header);
    out.writeMediumLE(Crc.computeCrc24(header, Integer.BYTES - 1));
  }

  private int crc32(ByteBuf payload) {
    crc32.reset();
    crc32.update(CRC32_START);
    if (payload.nioBufferCount() == 1) {
      // Not the internal one: payloads of several connections can be slices of one buffer.
      crc32.update(payload.nioBuffer());
    } else {
      for (ByteBuffer part : payload.nioBuffers()) {
        crc32.update(part);
      }
    }
    return (int) crc32.getValue();
  }
}
