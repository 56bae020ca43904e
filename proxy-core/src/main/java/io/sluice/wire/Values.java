package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bound values of one statement, found but not copied until asked for. Lives as long as the
 * frame it was read from.
 */
public final class Values {

  private static final int UNSET = -2;

  static final Values NONE = new Values(null, new int[0], null);

  private final @Nullable ByteBuf body;
  private final int[] offsets;

  /** Where the value of each name is; null when values are given by position. */
  private final @Nullable Map<String, Integer> names;

  private Values(@Nullable ByteBuf body, int[] offsets, @Nullable Map<String, Integer> names) {
    this.body = body;
    this.offsets = offsets;
    this.names = names;
  }

  /** Walks over {@code [short n]} and n values, each behind its name if {@code named}. */
  static Values read(ByteBuf body, boolean named) {
    int count = Primitives.readCount(body, (named ? Short.BYTES : 0) + Integer.BYTES);
    int[] offsets = new int[count];
    Map<String, Integer> names = named ? new HashMap<>() : null;
    for (int i = 0; i < count; i++) {
      if (names != null) {
        // Of a name that comes twice Cassandra takes the first value.
        names.putIfAbsent(Primitives.readString(body), i);
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
    int index = indexOf(name);
    return body == null || index < 0 ? null : copy(body, offsets[index]);
  }

  /** Whether they are given by name. */
  public boolean named() {
    return names != null;
  }

  /** Whether a value, be it null or unset, is given for the name. */
  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /**
   * Whether the value of a marker is given as unset.
   *
   * @param marker the marker's position, from 0
   * @param name its name, by which the value may have been given; null without
   */
  public boolean isUnset(int marker, @Nullable String name) {
    int index = index(marker, name);
    return body != null && index >= 0 && body.getInt(offsets[index]) == UNSET;
  }

  /** The place of a marker's value; −1 when there is none. */
  private int index(int marker, @Nullable String name) {
    int index = names != null && name != null ? indexOf(name) : marker;
    return index < offsets.length ? index : -1;
  }

  /** A copy of the values of some markers, in this order, each with its length as it came. */
  public byte[] bytes(List<ReadTemplate.Bound> markers) {
    ByteBuf out = Unpooled.buffer();
    markers.forEach(each -> write(each.marker(), each.name(), out));
    return ByteBufUtil.getBytes(out);
  }

  /**
   * Writes the value of a marker with its length, as it came: null and unset are told apart.
   *
   * @param marker the marker's position, from 0
   * @param name its name, by which the value may have been given; null without
   * @param out where to; null is written when there is no such value
   */
  void write(int marker, @Nullable String name, ByteBuf out) {
    int index = index(marker, name);
    if (body == null || index < 0) {
      out.writeInt(-1);
    } else {
      int at = offsets[index];
      out.writeBytes(body, at, Integer.BYTES + Math.max(0, body.getInt(at)));
    }
  }

  private int indexOf(String name) {
    return names == null ? -1 : names.getOrDefault(name, -1);
  }

  /** Reads {@code [bytes]}; null when they are null. */
  static @Nullable ByteBuffer readCopy(ByteBuf in) {
    int at = in.readerIndex();
    Primitives.skipBytes(in);
    return copy(in, at);
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
