package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The custom payload of a request or of an answer. Stateless. */
final class CustomPayload {

  private CustomPayload() {}

  /**
   * The text under a key; null when there is none. Of a key that comes twice, the last value
   * counts, as in Cassandra.
   *
   * @param request one that {@link CqlRequest#of} has understood; stays the caller's
   */
  static @Nullable String text(Frame request, String key) {
    if (!request.has(Frame.FLAG_PAYLOAD)) {
      return null;
    }
    ByteBuf value = value(request.body(), key);
    return value == null ? null : value.toString(StandardCharsets.UTF_8);
  }

  /**
   * The value under a key, as a view; null when there is none.
   *
   * @param in stands before the payload, and behind it afterwards
   */
  static @Nullable ByteBuf value(ByteBuf in, String key) {
    ByteBuf found = null;
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      int length = in.readUnsignedShort();
      int at = in.readerIndex();
      in.skipBytes(length);
      int value = in.readInt();
      if (isKey(in, at, length, key)) {
        found = value < 0 ? null : in.slice(in.readerIndex(), value);
      }
      in.skipBytes(Math.max(0, value));
    }
    return found;
  }

  private static boolean isKey(ByteBuf in, int at, int length, String key) {
    return length == key.length() && in.toString(at, length, StandardCharsets.US_ASCII).equals(key);
  }
}
