package io.sluice.rawcql;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Writes into plain heap buffers, which the garbage collector takes back. */
final class HeapCodec extends ByteBufPrimitiveCodec {
  HeapCodec() {
    super(UnpooledByteBufAllocator.DEFAULT);
  }

  @Override
  public ByteBuf allocate(int size) {
    return Unpooled.buffer(size);
  }
}
