package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the custom payload of a request or response. Stateless. */
final class CustomPayload {

  private CustomPayload() {}

  /**
   * Returns the text for a key; null when there is none. If a key appears twice, the last value
   * counts, as in Cassandra.
   *
   * @param request a request that {@link CqlRequest#of} can read; the caller keeps it
   */
  static @Nullable String text(Frame request, String key) {
    if (!request.has(Frame.FLAG_PAYLOAD)) {
      return null;
    }
    ByteBuf value = value(request.body(), key);
    return value == null ? null : value.toString(StandardCharsets.UTF_8);
  }

  /**
   * Returns the value for a key as a view; null when there is none.
   *
   * @param in positioned before the payload, and after it on return
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
