package io.sluice.wire;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.stream.Stream;

/**
 * A pooled allocator as in production that counts its buffers. It has no caches, so a released
 * buffer is free at once.
 */
public final class CountedBuffers extends PooledByteBufAllocator {

  /** Creates an allocator without allocations. */
  public CountedBuffers() {
    super(true, 1, 1, 8192, 3, 0, 0, false);
  }

  /** Returns how many buffers are not released. */
  public long held() {
    return Stream.concat(metric().heapArenas().stream(), metric().directArenas().stream())
        .mapToLong(PoolArenaMetric::numActiveAllocations)
        .sum();
  }
}
