package io.sluice.wire;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.PrimitiveCodec;
import com.datastax.oss.protocol.internal.response.result.RawType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Reads the column specifications of a result's metadata in place. Stateless. */
final class ResultColumns {

  /**
   * The deepest nesting of types: more than any schema has, and too little to exhaust the stack.
   */
  private static final int MAX_DEPTH = 100;

  private static final PrimitiveCodec<ByteBuf> PRIMITIVES =
      new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT);

  private ResultColumns() {}

  /**
   * Reads specifications whose lengths and depth {@link #skip} has checked.
   *
   * @param global whether keyspace and table are given once for all columns
   * @throws IllegalArgumentException when a type is unknown
   */
  static List<RowSet.Column> read(ByteBuf in, int columns, boolean global, int version) {
    String keyspace = global ? Primitives.readString(in) : "";
    String table = global ? Primitives.readString(in) : "";
    List<RowSet.Column> all = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      keyspace = global ? keyspace : Primitives.readString(in);
      table = global ? table : Primitives.readString(in);
      String name = Primitives.readString(in);
      RawType type = RawType.decode(in, PRIMITIVES, version);
      all.add(new RowSet.Column(keyspace, table, name, new ColumnType(type)));
    }
    return all;
  }

  /**
   * Moves {@code in} past the specifications.
   *
   * @param global whether keyspace and table are given once for all columns
   */
  static void skip(ByteBuf in, int columns, boolean global) {
    if (global) {
      Primitives.skipString(in);
      Primitives.skipString(in);
    }
    for (int i = 0; i < columns; i++) {
      if (!global) {
        Primitives.skipString(in);
        Primitives.skipString(in);
      }
      Primitives.skipString(in);
      skipType(in, MAX_DEPTH);
    }
  }

  private static void skipType(ByteBuf in, int depth) {
    if (depth == 0) {
      throw new IllegalArgumentException("types nested more than " + MAX_DEPTH + " deep");
    }
    switch (in.readUnsignedShort()) {
      case 0x00 -> Primitives.skipString(in);
      case 0x20, 0x22 -> skipType(in, depth - 1);
      case 0x21 -> {
        skipType(in, depth - 1);
        skipType(in, depth - 1);
      }
      case 0x30 -> skipUserType(in, depth);
      case 0x31 -> {
        for (int n = in.readUnsignedShort(); n > 0; n--) {
          skipType(in, depth - 1);
        }
      }
      default -> {}
    }
  }

  private static void skipUserType(ByteBuf in, int depth) {
    Primitives.skipString(in);
    Primitives.skipString(in);
    for (int n = in.readUnsignedShort(); n > 0; n--) {
      Primitives.skipString(in);
      skipType(in, depth - 1);
    }
  }
}
