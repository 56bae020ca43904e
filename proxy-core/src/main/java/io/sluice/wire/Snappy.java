package io.sluice.wire;

import com.datastax.oss.protocol.internal.Compressor;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** Snappy blocks, which contain their uncompressed length; v3 and v4 only. */
final class Snappy implements Compressor<ByteBuf> {

  @Override
  public String algorithm() {
    return "snappy";
  }

  @Override
  public ByteBuf compress(ByteBuf uncompressed) {
    int bound = org.xerial.snappy.Snappy.maxCompressedLength(uncompressed.readableBytes());
    ByteBuf out = uncompressed.alloc().directBuffer(bound);
    ByteBuf in = direct(uncompressed);
    try {
      ByteBuffer target = out.nioBuffer(0, bound);
      return out.writerIndex(org.xerial.snappy.Snappy.compress(in.nioBuffer(), target));
    } catch (IOException e) {
      out.release();
      throw new UncheckedIOException(e);
    } finally {
      in.release();
    }
  }

  @Override
  public ByteBuf decompress(ByteBuf compressed) {
    ByteBuf in = direct(compressed);
    try {
      int length = org.xerial.snappy.Snappy.uncompressedLength(in.nioBuffer());
      ByteBuf out = in.alloc().directBuffer(length);
      try {
        org.xerial.snappy.Snappy.uncompress(in.nioBuffer(), out.nioBuffer(0, length));
        return out.writerIndex(length);
      } catch (IOException e) {
        out.release();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      in.release();
    }
  }

  /**
   * Returns the uncompressed length that a block announces. A malicious block may announce a
   * negative or huge length.
   */
  static int announcedLength(ByteBuf compressed) {
    ByteBuf in = direct(compressed);
    try {
      return org.xerial.snappy.Snappy.uncompressedLength(in.nioBuffer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      in.release();
    }
  }

  /** Returns a direct buffer with the same bytes, as the library reads only those. */
  private static ByteBuf direct(ByteBuf in) {
    return in.isDirect() && in.nioBufferCount() == 1
        ? in.retainedSlice()
        : in.alloc()
            .directBuffer(in.readableBytes())
            .writeBytes(in, in.readerIndex(), in.readableBytes());
  }

  @Override
  public ByteBuf compressWithoutLength(ByteBuf uncompressed) {
    throw new UnsupportedOperationException("v5 segments are compressed with LZ4 only");
  }

  @Override
  public ByteBuf decompressWithoutLength(ByteBuf compressed, int length) {
    throw new UnsupportedOperationException("v5 segments are compressed with LZ4 only");
  }
}
