package io.sluice.rawcql;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/** A codec with plain heap buffers, which need no release. */
final class HeapCodec extends ByteBufPrimitiveCodec {
  HeapCodec() {
    super(UnpooledByteBufAllocator.DEFAULT);
  }

  @Override
  public ByteBuf allocate(int size) {
    return Unpooled.buffer(size);
  }
}
