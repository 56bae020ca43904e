package io.sluice.execute.table;

import io.sluice.wire.ColumnType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of the types that small tables have, as bytes and as JSON. */
final class Cells {

  private static final int BIGINT = 0x02;
  private static final int BLOB = 0x03;
  private static final int BOOLEAN = 0x04;
  private static final int DOUBLE = 0x07;
  private static final int INT = 0x09;
  private static final int TIMESTAMP = 0x0B;
  private static final int UUID_TYPE = 0x0C;
  private static final int VARCHAR = 0x0D;
  private static final int INET = 0x10;
  private static final int MAP = 0x21;
  private static final int SET = 0x22;

  private static final DateTimeFormatter JSON_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSX", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Cells() {}

  /**
   * Encodes a value.
   *
   * @param value a String, Integer, Long, Double, Boolean, InetAddress, UUID, Instant or byte[]
   *     that matches the type of its column; or null
   */
  static @Nullable ByteBuffer of(@Nullable Object value) {
    if (value == null) {
      return null;
    } else if (value instanceof String text) {
      return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof Integer number) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(0, number);
    } else if (value instanceof Long number) {
      return ByteBuffer.allocate(Long.BYTES).putLong(0, number);
    } else if (value instanceof Double number) {
      return ByteBuffer.allocate(Double.BYTES).putDouble(0, number);
    } else if (value instanceof Boolean flag) {
      return ByteBuffer.wrap(new byte[] {(byte) (flag ? 1 : 0)});
    } else if (value instanceof byte[] blob) {
      return ByteBuffer.wrap(blob);
    } else if (value instanceof InetAddress address) {
      return ByteBuffer.wrap(address.getAddress());
    } else if (value instanceof Instant time) {
      return ByteBuffer.allocate(Long.BYTES).putLong(0, time.toEpochMilli());
    } else if (value instanceof UUID id) {
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(0, id.getMostSignificantBits())
          .putLong(Long.BYTES, id.getLeastSignificantBits());
    }
    throw new IllegalArgumentException("no cell for " + value.getClass());
  }

  /** Returns the bytes of a cell without moving its position. */
  static byte[] array(ByteBuffer cell) {
    return bytes(cell.duplicate());
  }

  static String json(@Nullable ByteBuffer cell, ColumnType type) throws NotAnswerable {
    return cell == null ? "null" : json(cell.duplicate(), type.id(), type.elementId());
  }

  private static String json(ByteBuffer cell, int type, int element) throws NotAnswerable {
    return switch (type) {
      case VARCHAR -> JsonText.quoted(StandardCharsets.UTF_8.decode(cell).toString());
      case INT -> String.valueOf(cell.getInt());
      case BIGINT -> String.valueOf(cell.getLong());
      case DOUBLE -> JsonText.number(cell.getDouble());
      case BOOLEAN -> String.valueOf(cell.get() != 0);
      case TIMESTAMP -> JsonText.quoted(JSON_TIME.format(Instant.ofEpochMilli(cell.getLong())));
      case UUID_TYPE -> JsonText.quoted(uuid(cell));
      case INET -> JsonText.quoted(address(bytes(cell)));
      case BLOB -> JsonText.quoted("0x" + io.netty.buffer.ByteBufUtil.hexDump(bytes(cell)));
      case SET -> set(cell, element);
      case MAP -> map(cell);
      default -> throw NotAnswerable.unsupported("JSON of a column of type " + type);
    };
  }

  private static String set(ByteBuffer cell, int element) throws NotAnswerable {
    StringJoiner out = new StringJoiner(", ", "[", "]");
    for (int n = cell.getInt(); n > 0; n--) {
      out.add(json(next(cell), element, -1));
    }
    return out.toString();
  }

  /** Returns the JSON of {@code truncated_at}, the only map in these tables. */
  private static String map(ByteBuffer cell) throws NotAnswerable {
    StringJoiner out = new StringJoiner(", ", "{", "}");
    for (int n = cell.getInt(); n > 0; n--) {
      String key = json(next(cell), UUID_TYPE, -1);
      out.add(key + ": " + json(next(cell), BLOB, -1));
    }
    return out.toString();
  }

  private static ByteBuffer next(ByteBuffer cell) {
    return next(cell, cell.getInt());
  }

  /** Reads the next {@code length} bytes. */
  static ByteBuffer next(ByteBuffer cell, int length) {
    ByteBuffer next = cell.slice().limit(length);
    cell.position(cell.position() + length);
    return next;
  }

  private static String uuid(ByteBuffer cell) {
    return new UUID(cell.getLong(), cell.getLong()).toString();
  }

  /** Returns an address as Java writes it, and so Cassandra: IPv6 without a shortened part. */
  private static String address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address of " + bytes.length + " bytes", e);
    }
  }

  private static byte[] bytes(ByteBuffer cell) {
    byte[] bytes = new byte[cell.remaining()];
    cell.get(bytes);
    return bytes;
  }
}
