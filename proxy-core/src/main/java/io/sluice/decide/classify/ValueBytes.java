package io.sluice.decide.classify;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Checks serialised values of clients, as Cassandra does before it uses them. */
final class ValueBytes {
  private static final int TIME_BASED = 1;

  private ValueBytes() {}

  /**
   * Returns whether Cassandra accepts a value.
   *
   * @param type the CQL type of its column
   * @return false also if that is in doubt
   */
  static boolean valid(String type, ByteBuffer value) {
    int size = value.remaining();
    return switch (type) {
      case "tinyint", "boolean" -> size == 1;
      case "smallint" -> size == 2;
      case "int", "float", "date" -> size == 4;
      case "bigint", "double", "time", "timestamp" -> size == 8;
      case "uuid" -> size == 16;
      case "timeuuid" -> size == 16 && (value.get(value.position() + 6) >> 4) == TIME_BASED;
      case "inet" -> size == 4 || size == 16;
      case "decimal" -> size > 4;
      case "varint" -> size > 0;
      case "ascii" -> encoded(value, StandardCharsets.US_ASCII);
      case "text", "varchar" -> encoded(value, StandardCharsets.UTF_8);
      case "blob" -> true;
      default -> false;
    };
  }

  private static boolean encoded(ByteBuffer value, Charset charset) {
    try {
      charset.newDecoder().decode(value.duplicate());
      return true;
    } catch (CharacterCodingException notInCharset) {
      return false;
    }
  }
}
