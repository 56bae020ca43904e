package io.sluice.wire;

import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.response.result.RawType;
import java.util.Objects;

/** The type of a result column. */
public final class ColumnType {

  public static final ColumnType VARCHAR = primitive(ProtocolConstants.DataType.VARCHAR);
  public static final ColumnType BIGINT = primitive(ProtocolConstants.DataType.BIGINT);
  public static final ColumnType INT = primitive(ProtocolConstants.DataType.INT);

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

  /** The type's id in the protocol, for example 0x000D for varchar. */
  public int id() {
    return raw.id;
  }

  /** The id of the element type of a set or list, else −1. */
  public int elementId() {
    if (raw instanceof RawType.RawSet set) {
      return set.elementType.id;
    }
    return raw instanceof RawType.RawList list ? list.elementType.id : -1;
  }
}
