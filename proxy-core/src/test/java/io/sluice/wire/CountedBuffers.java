package io.sluice.wire;

import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.stream.Stream;

/** Buffers as in production, but counted: without caches, what is released is gone at once. */
public final class CountedBuffers extends PooledByteBufAllocator {

  /** Nothing allocated yet. */
  public CountedBuffers() {
    super(true, 1, 1, 8192, 3, 0, 0, false);
  }

  /** How many buffers are not released. */
  public long held() {
    return Stream.concat(metric().heapArenas().stream(), metric().directArenas().stream())
        .mapToLong(PoolArenaMetric::numActiveAllocations)
        .sum();
  }
}
