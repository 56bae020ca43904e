package io.sluice.wire;

import com.datastax.oss.protocol.internal.Compressor;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 blocks: in v3 and v4 preceded by the uncompressed length, in v5 segments without. */
final class Lz4 implements Compressor<ByteBuf> {

  private static final LZ4Compressor FAST = LZ4Factory.fastestInstance().fastCompressor();
  private static final LZ4SafeDecompressor SAFE = LZ4Factory.fastestInstance().safeDecompressor();

  @Override
  public String algorithm() {
    return "lz4";
  }

  @Override
  public ByteBuf compress(ByteBuf uncompressed) {
    return compress(uncompressed, Integer.BYTES);
  }

  @Override
  public ByteBuf compressWithoutLength(ByteBuf uncompressed) {
    return compress(uncompressed, 0);
  }

  private static ByteBuf compress(ByteBuf in, int prefix) {
    int length = in.readableBytes();
    int bound = prefix + FAST.maxCompressedLength(length);
    ByteBuf whole = contiguous(in);
    ByteBuf out = in.alloc().ioBuffer(bound);
    try {
      if (prefix > 0) {
        out.writeInt(length);
      }
      ByteBuffer target = out.nioBuffer(prefix, bound - prefix);
      FAST.compress(whole.nioBuffer(), target);
      return out.writerIndex(prefix + target.position());
    } catch (RuntimeException e) {
      out.release();
      throw e;
    } finally {
      whole.release();
    }
  }

  /**
   * Returns a buffer with the same bytes in one part. Netty would copy several parts to the heap,
   * and the library prevents garbage collections while it reads there.
   */
  private static ByteBuf contiguous(ByteBuf in) {
    return in.nioBufferCount() == 1
        ? in.retainedSlice()
        : in.alloc()
            .ioBuffer(in.readableBytes())
            .writeBytes(in, in.readerIndex(), in.readableBytes());
  }

  @Override
  public ByteBuf decompress(ByteBuf compressed) {
    return inflated(compressed, compressed.readInt());
  }

  /** {@inheritDoc} Releases {@code compressed} on failure, as the vendor's codec does not. */
  @Override
  public ByteBuf decompressWithoutLength(ByteBuf compressed, int length) {
    try {
      return inflated(compressed, length);
    } catch (RuntimeException e) {
      compressed.release();
      throw e;
    }
  }

  private static ByteBuf inflated(ByteBuf compressed, int length) {
    ByteBuf out = compressed.alloc().ioBuffer(length);
    try {
      ByteBuffer target = out.nioBuffer(0, length);
      SAFE.decompress(compressed.nioBuffer(), target);
      if (target.hasRemaining()) {
        throw new IllegalArgumentException(
            "LZ4 block holds " + target.position() + " bytes, announced " + length);
      }
      return out.writerIndex(length);
    } catch (RuntimeException e) {
      out.release();
      throw e;
    }
  }
}
