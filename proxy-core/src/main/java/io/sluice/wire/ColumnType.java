package io.sluice.wire;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.response.result.RawType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The type of a result column. */
public final class ColumnType {

  public static final ColumnType VARCHAR = primitive(ProtocolConstants.DataType.VARCHAR);
  public static final ColumnType BIGINT = primitive(ProtocolConstants.DataType.BIGINT);
  public static final ColumnType INT = primitive(ProtocolConstants.DataType.INT);
  public static final ColumnType BLOB = primitive(ProtocolConstants.DataType.BLOB);
  public static final ColumnType BOOLEAN = primitive(ProtocolConstants.DataType.BOOLEAN);
  public static final ColumnType DOUBLE = primitive(ProtocolConstants.DataType.DOUBLE);
  public static final ColumnType INET = primitive(ProtocolConstants.DataType.INET);
  public static final ColumnType TIMESTAMP = primitive(ProtocolConstants.DataType.TIMESTAMP);
  public static final ColumnType UUID = primitive(ProtocolConstants.DataType.UUID);

  private final RawType raw;

  ColumnType(RawType raw) {
    this.raw = raw;
  }

  private static ColumnType primitive(int code) {
    return new ColumnType(Objects.requireNonNull(RawType.PRIMITIVES.get(code)));
  }

  RawType raw() {
    return raw;
  }

  /** Returns the type's id in the protocol, for example 0x000D for varchar. */
  public int id() {
    return raw.id;
  }

  /** Returns the type of a list of this type, such as the value of {@code IN ?}. */
  public ColumnType list() {
    return new ColumnType(new RawType.RawList(raw));
  }

  /**
   * Returns the type's name in CQL, for example {@code text}; null for collections and for rare
   * types.
   */
  public @Nullable String cqlName() {
    return switch (raw.id) {
      case ProtocolConstants.DataType.ASCII -> "ascii";
      case ProtocolConstants.DataType.BIGINT -> "bigint";
      case ProtocolConstants.DataType.BLOB -> "blob";
      case ProtocolConstants.DataType.BOOLEAN -> "boolean";
      case ProtocolConstants.DataType.DOUBLE -> "double";
      case ProtocolConstants.DataType.FLOAT -> "float";
      case ProtocolConstants.DataType.INET -> "inet";
      case ProtocolConstants.DataType.INT -> "int";
      case ProtocolConstants.DataType.TIMESTAMP -> "timestamp";
      case ProtocolConstants.DataType.TIMEUUID -> "timeuuid";
      case ProtocolConstants.DataType.UUID -> "uuid";
      case ProtocolConstants.DataType.VARCHAR -> "text";
      default -> null;
    };
  }

  /** Returns the id of the element type of a set or list, else −1. */
  public int elementId() {
    if (raw instanceof RawType.RawSet set) {
      return set.elementType.id;
    }
    return raw instanceof RawType.RawList list ? list.elementType.id : -1;
  }
}
