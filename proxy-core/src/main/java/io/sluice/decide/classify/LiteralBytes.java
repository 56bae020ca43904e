package io.sluice.decide.classify;

import io.sluice.decide.classify.Expression.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Serialises literals exactly as Cassandra does for a column's type. */
final class LiteralBytes {
  /** Limit on digits: more than a key can hold; keeps the conversion cheap. */
  private static final int LONGEST_NUMBER = 1000;

  private LiteralBytes() {}

  /**
   * Returns the bytes of a literal.
   *
   * @param kind the kind of the literal
   * @param text as the lexer read it, strings without quotes
   * @param type the column's CQL type
   * @return null when the type does not accept such a literal, or its bytes are in doubt
   */
  static @Nullable ByteBuffer of(Kind kind, String text, String type) {
    try {
      return switch (kind) {
        case STRING -> string(text, type);
        case INTEGER -> text.length() > LONGEST_NUMBER ? null : integer(text, type);
        case FLOAT -> outOfDouble(text) ? null : floatingPoint(text, type);
        case BOOLEAN -> type.equals("boolean") ? truth(text) : null;
        case UUID -> uuid(text, type);
        case HEX -> type.equals("blob") ? blob(text) : null;
        default -> null;
      };
    } catch (NumberFormatException outOfRange) {
      return null;
    }
  }

  /** Whether a fraction exceeds a double. Cassandra fails on it whatever the column's type. */
  private static boolean outOfDouble(String text) {
    return text.length() > LONGEST_NUMBER
        || (Double.isInfinite(Double.parseDouble(text)) && !text.endsWith("Infinity"));
  }

  private static @Nullable ByteBuffer string(String text, String type) {
    return switch (type) {
      case "text", "varchar" -> encoded(text, StandardCharsets.UTF_8);
      case "ascii" -> encoded(text, StandardCharsets.US_ASCII);
      case "inet" -> AddressBytes.of(text);
      case "date" -> TimeBytes.date(text);
      case "time" -> TimeBytes.time(text);
      case "timestamp" -> TimeBytes.timestamp(text);
      default -> null;
    };
  }

  private static @Nullable ByteBuffer encoded(String text, Charset charset) {
    try {
      return charset.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException notInCharset) {
      return null;
    }
  }

  private static @Nullable ByteBuffer integer(String text, String type) {
    return switch (type) {
      case "tinyint" -> ByteBuffer.allocate(1).put(0, Byte.parseByte(text));
      case "smallint" -> ByteBuffer.allocate(2).putShort(0, Short.parseShort(text));
      case "int" -> ByteBuffer.allocate(4).putInt(0, Integer.parseInt(text));
      case "bigint", "timestamp" -> ByteBuffer.allocate(8).putLong(0, Long.parseLong(text));
      case "varint" -> ByteBuffer.wrap(new BigInteger(text).toByteArray());
      case "date" -> TimeBytes.days(Long.parseLong(text));
      case "time" -> TimeBytes.nanos(Long.parseLong(text));
      default -> floatingPoint(text, type);
    };
  }

  private static @Nullable ByteBuffer floatingPoint(String text, String type) {
    return switch (type) {
      case "float" -> ByteBuffer.allocate(4).putFloat(0, Float.parseFloat(text));
      case "double" -> ByteBuffer.allocate(8).putDouble(0, Double.parseDouble(text));
      case "decimal" -> decimal(new BigDecimal(text));
      default -> null;
    };
  }

  /** Returns the scale in four bytes, then the unscaled number. */
  private static ByteBuffer decimal(BigDecimal number) {
    byte[] unscaled = number.unscaledValue().toByteArray();
    return ByteBuffer.allocate(4 + unscaled.length).putInt(number.scale()).put(unscaled).flip();
  }

  private static ByteBuffer truth(String text) {
    return ByteBuffer.allocate(1).put(0, (byte) (text.equalsIgnoreCase("true") ? 1 : 0));
  }

  private static @Nullable ByteBuffer uuid(String text, String type) {
    UUID uuid = UUID.fromString(text);
    boolean fits = type.equals("uuid") || (type.equals("timeuuid") && uuid.version() == 1);
    return fits
        ? ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .flip()
        : null;
  }

  /** Reads a blob: two digits per byte, after {@code 0x}. */
  private static @Nullable ByteBuffer blob(String text) {
    if (text.length() % 2 != 0) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length() / 2 - 1);
    for (int i = 2; i < text.length(); i += 2) {
      int high = Character.digit(text.charAt(i), 16);
      bytes.put((byte) (high << 4 | Character.digit(text.charAt(i + 1), 16)));
    }
    return bytes.flip();
  }
}
