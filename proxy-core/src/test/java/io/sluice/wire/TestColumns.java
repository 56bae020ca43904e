package io.sluice.wire;

import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.response.result.RawType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Columns for results, written as {@code name type, …}. */
public final class TestColumns {

  private TestColumns() {}

  /** Returns the columns of a table of keyspace system. */
  public static List<RowSet.Column> of(String table, String columns) {
    List<RowSet.Column> all = new ArrayList<>();
    for (String each : columns.split(", *", -1)) {
      int space = each.indexOf(' ');
      ColumnType type = new ColumnType(type(each.substring(space + 1)));
      all.add(new RowSet.Column("system", table, each.substring(0, space), type));
    }
    return all;
  }

  /** Nested types are separated by semicolons: {@code map<text;int>}. */
  private static RawType type(String name) {
    int open = name.indexOf('<');
    if (open > 0) {
      List<RawType> inner = new ArrayList<>();
      for (String each : parts(name.substring(open + 1, name.length() - 1))) {
        inner.add(type(each));
      }
      return switch (name.substring(0, open)) {
        case "set" -> new RawType.RawSet(inner.get(0));
        case "list" -> new RawType.RawList(inner.get(0));
        case "map" -> new RawType.RawMap(inner.get(0), inner.get(1));
        case "tuple" -> new RawType.RawTuple(inner);
        case "udt" ->
            new RawType.RawUdt(
                "system", "address", new LinkedHashMap<>(Map.of("street", inner.get(0))));
        case "custom" -> new RawType.RawCustom("org.example.Vector(" + inner.get(0).id + ", 3)");
        default -> throw new IllegalArgumentException(name);
      };
    }
    return primitive(
        switch (name) {
          case "text" -> DataType.VARCHAR;
          case "ascii" -> DataType.ASCII;
          case "bigint" -> DataType.BIGINT;
          case "blob" -> DataType.BLOB;
          case "boolean" -> DataType.BOOLEAN;
          case "counter" -> DataType.COUNTER;
          case "decimal" -> DataType.DECIMAL;
          case "double" -> DataType.DOUBLE;
          case "float" -> DataType.FLOAT;
          case "int" -> DataType.INT;
          case "timestamp" -> DataType.TIMESTAMP;
          case "uuid" -> DataType.UUID;
          case "varint" -> DataType.VARINT;
          case "timeuuid" -> DataType.TIMEUUID;
          case "inet" -> DataType.INET;
          case "date" -> DataType.DATE;
          case "time" -> DataType.TIME;
          case "smallint" -> DataType.SMALLINT;
          case "tinyint" -> DataType.TINYINT;
          case "duration" -> DataType.DURATION;
          default -> throw new IllegalArgumentException(name);
        });
  }

  private static List<String> parts(String types) {
    List<String> all = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < types.length(); i++) {
      char c = types.charAt(i);
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c == ';' && depth == 0) {
        all.add(types.substring(from, i));
        from = i + 1;
      }
    }
    all.add(types.substring(from));
    return all;
  }

  private static RawType primitive(int code) {
    return Objects.requireNonNull(RawType.PRIMITIVES.get(code));
  }
}
