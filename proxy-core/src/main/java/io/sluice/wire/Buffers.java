package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;

/**
 * The allocator of all buffers. Large ones take exactly their bytes. From Netty's pool, a buffer of
 * a little more than half a chunk would take a whole chunk, which is nearly twice what the memory
 * budget counts: answers of two megabytes to clients that do not read would exhaust the memory. The
 * smaller ones take at most a third more than their bytes. Safe for any thread.
 */
public final class Buffers extends PooledByteBufAllocator {

  /** The one allocator, so that its metrics are those of all buffers. */
  public static final Buffers POOL = new Buffers();

  private final UnpooledByteBufAllocator exact = new UnpooledByteBufAllocator(true);
  private final int largestPooled = metric().chunkSize() / 4;

  private Buffers() {
    super(PlatformDependent.directBufferPreferred());
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return initialCapacity > largestPooled
        ? exact.directBuffer(initialCapacity, maxCapacity)
        : super.newDirectBuffer(initialCapacity, maxCapacity);
  }

  /** Returns the largest capacity that is pooled, in bytes. */
  int largestPooled() {
    return largestPooled;
  }

  /** Returns the bytes of all buffers that are not pooled. */
  public long exactBytes() {
    return exact.metric().usedDirectMemory();
  }

  /**
   * Returns the bytes that are taken from the system: chunks, also unused ones, and large buffers.
   */
  public long takenBytes() {
    return metric().usedDirectMemory() + exactBytes();
  }
}
