package io.sluice.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of values of a CQL type, as in Cassandra's {@code org.apache.cassandra.db.marshal}. An
 * empty value comes first where the type allows one. Stateless.
 */
public final class CellOrder {

  private static final Comparator<byte[]> UNSIGNED = Arrays::compareUnsigned;

  private CellOrder() {}

  /**
   * Returns the order of one type.
   *
   * @throws IllegalArgumentException when the order of the type is not known
   */
  public static Comparator<byte[]> of(String type) {
    return switch (type) {
      case "ascii", "text", "varchar", "blob", "inet", "date", "time" -> UNSIGNED;
      case "tinyint" -> emptyFirst(Comparator.comparingInt(cell -> cell[0]));
      case "smallint" -> emptyFirst(Comparator.comparingInt(cell -> bytes(cell).getShort()));
      case "int" -> emptyFirst(Comparator.comparingInt(cell -> bytes(cell).getInt()));
      case "bigint", "counter", "timestamp" ->
          emptyFirst(Comparator.comparingLong(cell -> bytes(cell).getLong()));
      case "float" -> emptyFirst((a, b) -> Float.compare(bytes(a).getFloat(), bytes(b).getFloat()));
      case "double" ->
          emptyFirst((a, b) -> Double.compare(bytes(a).getDouble(), bytes(b).getDouble()));
      case "boolean" -> emptyFirst((a, b) -> Boolean.compare(a[0] != 0, b[0] != 0));
      case "varint" -> emptyFirst(Comparator.comparing(BigInteger::new));
      case "decimal" -> emptyFirst(Comparator.comparing(CellOrder::decimal));
      case "uuid" -> emptyFirst(CellOrder::compareUuids);
      case "timeuuid" -> emptyFirst(CellOrder::compareTimeUuids);
      default -> throw new IllegalArgumentException("No order of " + type);
    };
  }

  private static ByteBuffer bytes(byte[] cell) {
    return ByteBuffer.wrap(cell);
  }

  public static BigDecimal decimal(byte[] cell) {
    int scale = bytes(cell).getInt();
    return new BigDecimal(new BigInteger(cell, Integer.BYTES, cell.length - Integer.BYTES), scale);
  }

  private static Comparator<byte[]> emptyFirst(Comparator<byte[]> order) {
    return (a, b) ->
        a.length == 0 || b.length == 0
            ? Boolean.compare(a.length > 0, b.length > 0)
            : order.compare(a, b);
  }

  /** Compares by version; version 1 by time, others by their bytes. */
  private static int compareUuids(byte[] a, byte[] b) {
    long highA = bytes(a).getLong();
    long highB = bytes(b).getLong();
    int versionA = (int) (highA >>> 12) & 0xF;
    int byVersion = Integer.compare(versionA, (int) (highB >>> 12) & 0xF);
    if (byVersion != 0) {
      return byVersion;
    }
    int byHigh =
        versionA == 1
            ? Long.compare(timeFirst(highA), timeFirst(highB))
            : Long.compareUnsigned(highA, highB);
    return byHigh != 0 ? byHigh : Arrays.compareUnsigned(a, Long.BYTES, 16, b, Long.BYTES, 16);
  }

  /** Compares by time, and then the other bytes as signed values. */
  private static int compareTimeUuids(byte[] a, byte[] b) {
    int byTime = Long.compare(timeFirst(bytes(a).getLong()), timeFirst(bytes(b).getLong()));
    return byTime != 0 ? byTime : Arrays.compare(a, Long.BYTES, 16, b, Long.BYTES, 16);
  }

  /** Returns the upper half of a version 1 UUID with its 60 bits of time in order. */
  private static long timeFirst(long high) {
    return (high << 48) | ((high << 16) & 0xFFFF00000000L) | (high >>> 32);
  }
}
