package io.sluice.wire;

import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.response.result.RawType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Columns for results, written as {@code name type, …}. */
public final class TestColumns {

  private TestColumns() {}

  /** The columns of a table of keyspace system. */
  public static List<RowSet.Column> of(String table, String columns) {
    List<RowSet.Column> all = new ArrayList<>();
    for (String each : columns.split(", *", -1)) {
      int space = each.indexOf(' ');
      ColumnType type = new ColumnType(type(each.substring(space + 1)));
      all.add(new RowSet.Column("system", table, each.substring(0, space), type));
    }
    return all;
  }

  private static RawType type(String name) {
    return switch (name) {
      case "text" -> primitive(DataType.VARCHAR);
      case "int" -> primitive(DataType.INT);
      case "uuid" -> primitive(DataType.UUID);
      case "inet" -> primitive(DataType.INET);
      case "set<text>" -> new RawType.RawSet(primitive(DataType.VARCHAR));
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static RawType primitive(int code) {
    return Objects.requireNonNull(RawType.PRIMITIVES.get(code));
  }
}
