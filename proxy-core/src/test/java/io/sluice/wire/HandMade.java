package io.sluice.wire;

import com.datastax.oss.protocol.internal.util.Crc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.zip.CRC32;

/** Segments with valid checksums that no codec would write. */
final class HandMade {

  private static final byte[] CRC32_INITIAL = {(byte) 0xFA, 0x2D, 0x55, (byte) 0xCA};

  private HandMade() {}

  /** Returns a self-contained segment of a compressed connection. */
  static byte[] compressedSegment(byte[] payload, int uncompressedLength) {
    long header = payload.length | ((long) uncompressedLength << 17) | (1L << 34);
    ByteBuf out = Unpooled.buffer();
    for (int i = 0; i < 5; i++) {
      out.writeByte((int) (header >>> (8 * i)));
    }
    out.writeMediumLE(Crc.computeCrc24(header, 5)).writeBytes(payload);
    CRC32 crc = new CRC32();
    crc.update(CRC32_INITIAL);
    crc.update(payload);
    out.writeIntLE((int) crc.getValue());
    return ByteBufUtil.getBytes(out);
  }
}
