package io.sluice.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The protocol's primitive types, read in place. Every method throws {@link
 * IndexOutOfBoundsException} where the bytes end too early.
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
    if (length > in.readableBytes()) {
      throw new IndexOutOfBoundsException("String of " + length + " bytes ends outside the frame");
    }
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
    byte[] bytes = new byte[in.readUnsignedShort()];
    in.readBytes(bytes);
    return bytes;
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
      throw new IndexOutOfBoundsException("String of " + length + " bytes ends outside the frame");
    }
    return length;
  }
}
