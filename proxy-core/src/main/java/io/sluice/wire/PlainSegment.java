package io.sluice.wire;

import com.datastax.oss.protocol.internal.util.Crc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Queue;
import java.util.zip.CRC32;

/**
 * The encoder of small uncompressed segments: header, frames and checksum go into one buffer. The
 * format is the uncompressed one of the native protocol v5. Not safe for several threads.
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
   * Returns a self-contained segment of these frames. Removes and releases them.
   *
   * @param length the length of all frames together, in bytes
   */
  ByteBuf encode(Queue<ByteBuf> frames, int length, ByteBufAllocator alloc) {
    ByteBuf segment = alloc.ioBuffer(OVERHEAD + length);
    long header = length | SELF_CONTAINED;
    segment.writeMediumLE((int) header);
    segment.writeMediumLE(Crc.computeCrc24(header, Integer.BYTES - 1));
    for (ByteBuf next = frames.poll(); next != null; next = frames.poll()) {
      segment.writeBytes(next);
      next.release();
    }
    crc32.reset();
    crc32.update(CRC32_START);
    crc32.update(segment.internalNioBuffer(segment.readerIndex() + HEADER_LENGTH, length));
    return segment.writeIntLE((int) crc32.getValue());
  }
}
