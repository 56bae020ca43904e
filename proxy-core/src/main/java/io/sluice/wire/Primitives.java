package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the protocol's primitive types in place. Every method throws {@link
 * IndexOutOfBoundsException} when the bytes end too early. An announced length or count is checked
 * against the available bytes before memory is allocated for it. Stateless.
 */
final class Primitives {

  private Primitives() {}

  static String readString(ByteBuf in) {
    return readUtf8(in, in.readUnsignedShort());
  }

  static String readLongString(ByteBuf in) {
    return readUtf8(in, checked(in, in.readInt()));
  }

  private static String readUtf8(ByteBuf in, int length) {
    checked(in, length);
    int start = in.readerIndex();
    in.skipBytes(length);
    if (ByteBufUtil.isText(in, start, length, StandardCharsets.US_ASCII)) {
      return in.toString(start, length, StandardCharsets.US_ASCII);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(in.nioBuffer(start, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("Cannot decode string as UTF8", e);
    }
  }

  static byte[] readShortBytes(ByteBuf in) {
    return copy(in, in.readUnsignedShort());
  }

  /** Reads {@code [bytes]}; null for a null value. */
  static byte @Nullable [] readBytes(ByteBuf in) {
    int length = in.readInt();
    return length < 0 ? null : copy(in, length);
  }

  private static byte[] copy(ByteBuf in, int length) {
    byte[] bytes = new byte[checked(in, length)];
    in.readBytes(bytes);
    return bytes;
  }

  /**
   * Reads the {@code [short]} with the number of following elements.
   *
   * @param least the least bytes of an element
   */
  static int readCount(ByteBuf in, int least) {
    int count = in.readUnsignedShort();
    if (count * least > in.readableBytes()) {
      throw new IndexOutOfBoundsException(count + " elements end outside the frame");
    }
    return count;
  }

  static List<String> readStringList(ByteBuf in) {
    int count = readCount(in, Short.BYTES);
    List<String> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(readString(in));
    }
    return all;
  }

  static Map<String, String> readStringMap(ByteBuf in) {
    int count = readCount(in, 2 * Short.BYTES);
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String key = readString(in);
      all.put(key, readString(in));
    }
    return all;
  }

  /** Skips {@code [bytes]} or {@code [value]}: null (−1) and unset (−2) have no bytes. */
  static void skipBytes(ByteBuf in) {
    int length = in.readInt();
    if (length > 0) {
      in.skipBytes(length);
    } else if (length < -2) {
      throw new IndexOutOfBoundsException("Invalid value length " + length);
    }
  }

  static void skipString(ByteBuf in) {
    in.skipBytes(in.readUnsignedShort());
  }

  static void skipStringList(ByteBuf in) {
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      skipString(in);
    }
  }

  static void skipBytesMap(ByteBuf in) {
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      skipString(in);
      skipBytes(in);
    }
  }

  private static int checked(ByteBuf in, int length) {
    if (length < 0 || length > in.readableBytes()) {
      throw new IndexOutOfBoundsException(length + " bytes end outside the frame");
    }
    return length;
  }
}
