package io.sluice.execute.members;

import io.netty.util.NetUtil;
import io.sluice.decide.classify.Expression;
import io.sluice.wire.ColumnType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of the few types that the tables about members have: from literals, and as JSON. */
final class Cells {

  private static final int BLOB = 0x03;
  private static final int INT = 0x09;
  private static final int UUID_TYPE = 0x0C;
  private static final int VARCHAR = 0x0D;
  private static final int INET = 0x10;
  private static final int MAP = 0x21;
  private static final int SET = 0x22;

  private Cells() {}

  static ByteBuffer fromLiteral(Expression literal, ColumnType type) throws NotAnswerable {
    String text = literal.name();
    if (text != null && literal.kind() == Expression.Kind.STRING && type.id() == VARCHAR) {
      return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
    if (text != null && literal.kind() == Expression.Kind.STRING && type.id() == INET) {
      byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
      if (address != null) {
        return ByteBuffer.wrap(address);
      }
    }
    if (text != null && literal.kind() == Expression.Kind.INTEGER && type.id() == INT) {
      return integer(text);
    }
    if (text != null && literal.kind() == Expression.Kind.UUID && type.id() == UUID_TYPE) {
      UUID id = UUID.fromString(text);
      return ByteBuffer.allocate(2 * Long.BYTES)
          .putLong(0, id.getMostSignificantBits())
          .putLong(Long.BYTES, id.getLeastSignificantBits());
    }
    throw NotAnswerable.unsupported("this value");
  }

  private static ByteBuffer integer(String text) throws NotAnswerable {
    try {
      return ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw new NotAnswerable("Unable to make int from '" + text + "'");
    }
  }

  static String json(@Nullable ByteBuffer cell, ColumnType type) throws NotAnswerable {
    return cell == null ? "null" : json(cell.duplicate(), type.id(), type.elementId());
  }

  private static String json(ByteBuffer cell, int type, int element) throws NotAnswerable {
    return switch (type) {
      case VARCHAR -> quoted(StandardCharsets.UTF_8.decode(cell).toString());
      case INT -> String.valueOf(cell.getInt());
      case UUID_TYPE -> quoted(uuid(cell));
      case INET -> quoted(NetUtil.bytesToIpAddress(bytes(cell)));
      case BLOB -> quoted("0x" + io.netty.buffer.ByteBufUtil.hexDump(bytes(cell)));
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

  /** The one map there is: when which table was truncated. */
  private static String map(ByteBuffer cell) throws NotAnswerable {
    StringJoiner out = new StringJoiner(", ", "{", "}");
    for (int n = cell.getInt(); n > 0; n--) {
      String key = json(next(cell), UUID_TYPE, -1);
      out.add(key + ": " + json(next(cell), BLOB, -1));
    }
    return out.toString();
  }

  private static ByteBuffer next(ByteBuffer cell) {
    int length = cell.getInt();
    ByteBuffer next = cell.slice().limit(length);
    cell.position(cell.position() + length);
    return next;
  }

  private static String uuid(ByteBuffer cell) {
    return new UUID(cell.getLong(), cell.getLong()).toString();
  }

  private static byte[] bytes(ByteBuffer cell) {
    byte[] bytes = new byte[cell.remaining()];
    cell.get(bytes);
    return bytes;
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
