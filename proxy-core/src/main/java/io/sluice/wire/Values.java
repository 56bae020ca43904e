package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bound values of one statement, found but not copied until asked for. Lives as long as the
 * frame it was read from.
 */
public final class Values {

  static final Values NONE = new Values(null, new int[0], null);

  private final @Nullable ByteBuf body;
  private final int[] offsets;
  private final String @Nullable [] names;

  private Values(@Nullable ByteBuf body, int[] offsets, String @Nullable [] names) {
    this.body = body;
    this.offsets = offsets;
    this.names = names;
  }

  /** Walks over {@code [short n]} and n values, each behind its name if {@code named}. */
  static Values read(ByteBuf body, boolean named) {
    int count = body.readUnsignedShort();
    int[] offsets = new int[count];
    String[] names = named ? new String[count] : null;
    for (int i = 0; i < count; i++) {
      if (names != null) {
        names[i] = Primitives.readString(body);
      }
      offsets[i] = body.readerIndex();
      Primitives.skipBytes(body);
    }
    return new Values(body, offsets, names);
  }

  public int count() {
    return offsets.length;
  }

  /** A copy of the value at {@code index}, or null when there is none, it is null or unset. */
  public @Nullable ByteBuffer get(int index) {
    if (names != null || body == null || index < 0 || index >= offsets.length) {
      return null;
    }
    return copy(body, offsets[index]);
  }

  /** A copy of the value bound to {@code name}, or null when there is none, it is null or unset. */
  public @Nullable ByteBuffer get(String name) {
    if (names != null && body != null) {
      for (int i = 0; i < names.length; i++) {
        if (name.equals(names[i])) {
          return copy(body, offsets[i]);
        }
      }
    }
    return null;
  }

  private static @Nullable ByteBuffer copy(ByteBuf body, int offset) {
    int length = body.getInt(offset);
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    body.getBytes(offset + Integer.BYTES, bytes);
    return ByteBuffer.wrap(bytes);
  }
}
