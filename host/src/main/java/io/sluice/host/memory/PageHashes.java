package io.sluice.host.memory;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The hashes of pages. Only a page of zeros has the hash 0. */
final class PageHashes {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private long[] hashes = new long[1024];
  private int size;

  void add(long hash) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * size);
    }
    hashes[size++] = hash;
  }

  int size() {
    return size;
  }

  long get(int index) {
    return hashes[index];
  }

  /** Returns the hash of the page that begins at {@code from} in the buffer. */
  static long of(ByteBuffer buffer, int from, int pageSize) {
    long hash = FACTOR;
    long any = 0;
    for (int i = from; i < from + pageSize; i += Long.BYTES) {
      long word = buffer.getLong(i);
      any |= word;
      hash = Long.rotateLeft((hash ^ word) * FACTOR, 29);
    }
    if (any == 0) {
      return 0;
    }
    hash ^= hash >>> 32;
    return hash == 0 ? 1 : hash;
  }
}
