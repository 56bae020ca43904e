package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bound values of one statement, which are located in the frame and copied on demand. Valid as
 * long as the frame.
 */
public final class Values {

  private static final int UNSET = -2;

  static final Values NONE = new Values(null, new int[0], null);

  /** The memory of a name: two objects of a map, and two of a short text. */
  private static final int BYTES_PER_NAME = 100;

  private final @Nullable ByteBuf body;
  private final int[] offsets;

  /** The index of each named value; null when values are given by position. */
  private final @Nullable Map<String, Integer> names;

  private Values(@Nullable ByteBuf body, int[] offsets, @Nullable Map<String, Integer> names) {
    this.body = body;
    this.offsets = offsets;
    this.names = names;
  }

  /** Reads {@code [short n]} and n values, each after its name if {@code named}. */
  static Values read(ByteBuf body, boolean named) {
    int count = Primitives.readCount(body, (named ? Short.BYTES : 0) + Integer.BYTES);
    int[] offsets = new int[count];
    Map<String, Integer> names = named ? new HashMap<>() : null;
    for (int i = 0; i < count; i++) {
      if (names != null) {
        // If a name appears twice, Cassandra takes the first value.
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

  /** Returns the approximate memory besides the frame, in bytes. */
  public long heapBytes() {
    return (long) Integer.BYTES * offsets.length
        + (names == null ? 0 : (long) BYTES_PER_NAME * names.size());
  }

  /**
   * Returns a copy of the value at {@code index}; null when the value is missing, null or unset.
   */
  public @Nullable ByteBuffer get(int index) {
    if (names != null || body == null || index < 0 || index >= offsets.length) {
      return null;
    }
    return copy(body, offsets[index]);
  }

  /**
   * Returns a copy of the value for {@code name}; null when the value is missing, null or unset.
   */
  public @Nullable ByteBuffer get(String name) {
    int index = indexOf(name);
    return body == null || index < 0 ? null : copy(body, offsets[index]);
  }

  /** Whether the values are given by name. */
  public boolean named() {
    return names != null;
  }

  /** Whether a value is given for the name, even null or unset. */
  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /**
   * Whether the value of a marker is unset.
   *
   * @param marker the marker's position, from 0
   * @param name the marker's name, for values by name; null without
   */
  public boolean isUnset(int marker, @Nullable String name) {
    int index = index(marker, name);
    return body != null && index >= 0 && body.getInt(offsets[index]) == UNSET;
  }

  /** Returns the index of a marker's value; −1 when there is none. */
  private int index(int marker, @Nullable String name) {
    int index = names != null && name != null ? indexOf(name) : marker;
    return index < offsets.length ? index : -1;
  }

  /** Returns a copy of the values of some markers, in this order, each with its length. */
  public byte[] bytes(List<ReadTemplate.Bound> markers) {
    ByteBuf out = Unpooled.buffer();
    markers.forEach(each -> write(each.marker(), each.name(), out));
    return ByteBufUtil.getBytes(out);
  }

  /**
   * Returns by how many bytes {@link #bytes} exceeds the request's values, as several markers with
   * one name have one value.
   */
  public long repeatedBytes(List<ReadTemplate.Bound> markers) {
    if (body == null || names == null) {
      return 0;
    }
    BitSet seen = new BitSet(offsets.length);
    long repeated = 0;
    for (ReadTemplate.Bound each : markers) {
      int index = index(each.marker(), each.name());
      if (index >= 0 && seen.get(index)) {
        repeated += Integer.BYTES + Math.max(0, body.getInt(offsets[index]));
      } else if (index >= 0) {
        seen.set(index);
      }
    }
    return repeated;
  }

  /**
   * Writes the value of a marker with its length, unchanged, so null and unset stay distinct.
   *
   * @param marker the marker's position, from 0
   * @param name the marker's name, for values by name; null without
   * @param out the target; a missing value is written as null
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

  /** Reads a copy of {@code [bytes]}; null for a null value. */
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
