package io.sluice.it;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import net.jpountz.lz4.LZ4Factory;

/** Segments of protocol 5 that are compressed with LZ4. Stateless. */
final class Lz4Segments implements Compressor<ByteBuf> {

  private Lz4Segments() {}

  /** Returns a self-contained segment with the frames. */
  static byte[] of(byte[] frames) {
    List<Object> parts = new ArrayList<>();
    new SegmentCodec<>(
            new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT), new Lz4Segments())
        .encode(new Segment<>(Unpooled.wrappedBuffer(frames), true), parts);
    return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(parts.toArray(ByteBuf[]::new)));
  }

  @Override
  public String algorithm() {
    return "lz4";
  }

  @Override
  public ByteBuf compressWithoutLength(ByteBuf uncompressed) {
    byte[] plain = ByteBufUtil.getBytes(uncompressed);
    return Unpooled.wrappedBuffer(LZ4Factory.fastestInstance().fastCompressor().compress(plain));
  }

  @Override
  public ByteBuf compress(ByteBuf uncompressed) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ByteBuf decompress(ByteBuf compressed) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ByteBuf decompressWithoutLength(ByteBuf compressed, int length) {
    throw new UnsupportedOperationException();
  }
}
