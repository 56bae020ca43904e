package io.sluice.fake;

import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.response.result.RawType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A table in memory, with its rows in the order of the ring. Not safe for several threads. */
final class FakeTable {
  private static final ByteBuffer NO_CLUSTERING = ByteBuffer.allocate(0);
  private static final Pattern KEY = Pattern.compile(",? *PRIMARY KEY *\\(([^)]*)\\)");
  private static final Pattern COLUMN = Pattern.compile("(\\w+) ([\\w<>]+)( PRIMARY KEY)?");

  private final Map<String, RawType> types = new LinkedHashMap<>();
  private final List<String> key;
  private final TreeMap<Key, Map<String, ByteBuffer>> rows = new TreeMap<>();

  /** The primary key of a row, with the token of its partition. */
  record Key(long token, ByteBuffer partition, ByteBuffer clustering) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return Comparator.comparingLong(Key::token)
          .thenComparing(key -> bytes(key.partition), Arrays::compareUnsigned)
          .thenComparing(key -> bytes(key.clustering), Arrays::compareUnsigned)
          .compare(this, other);
    }

    /** Returns a paging state, which stays right if rows before it are deleted. */
    ByteBuffer asState() {
      return ByteBuffer.allocate(Integer.BYTES + partition.remaining() + clustering.remaining())
          .putInt(partition.remaining())
          .put(partition.duplicate())
          .put(clustering.duplicate())
          .flip();
    }

    private static Key ofState(ByteBuffer state) {
      ByteBuffer rest = state.duplicate();
      int length = rest.getInt();
      ByteBuffer partition = rest.slice().limit(length).slice();
      rest.position(rest.position() + length);
      return new Key(FakeTable.token(partition), partition, rest.slice());
    }

    private static byte[] bytes(ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
  }

  /** Creates a table from the columns of CREATE TABLE, without the outer parentheses. */
  FakeTable(String columns) {
    Matcher several = KEY.matcher(columns);
    List<String> named = several.find() ? names(several.group(1)) : List.of();
    Matcher column = COLUMN.matcher(several.replaceAll(""));
    String first = "";
    while (column.find()) {
      add(column.group(1), column.group(2));
      first = column.group(3) == null ? first : column.group(1);
    }
    key = named.isEmpty() ? List.of(first) : named;
  }

  private static List<String> names(String list) {
    return Arrays.asList(list.split(", *", -1));
  }

  void add(String column, String type) {
    types.put(
        column,
        switch (type) {
          case "bigint" -> primitive(DataType.BIGINT);
          case "blob" -> primitive(DataType.BLOB);
          case "int" -> primitive(DataType.INT);
          case "text" -> primitive(DataType.VARCHAR);
          case "counter" -> primitive(DataType.COUNTER);
          case "list<bigint>" -> new RawType.RawList(primitive(DataType.BIGINT));
          default -> throw new IllegalArgumentException("no type of these tables: " + type);
        });
  }

  static RawType primitive(int code) {
    return Objects.requireNonNull(RawType.PRIMITIVES.get(code));
  }

  RawType type(String column) {
    return Objects.requireNonNull(types.get(column), column);
  }

  List<String> columns() {
    return List.copyOf(types.keySet());
  }

  int size() {
    return rows.size();
  }

  /** Returns the primary key among these values of columns. */
  Key key(Map<String, ByteBuffer> values) {
    ByteBuffer partition = Objects.requireNonNull(values.get(key.get(0)));
    ByteBuffer clustering =
        key.size() == 1 ? NO_CLUSTERING : Objects.requireNonNull(values.get(key.get(1)));
    return new Key(token(partition), partition, clustering);
  }

  static long token(ByteBuffer partition) {
    return ((Murmur3Token) new Murmur3TokenFactory().hash(partition)).getValue();
  }

  @Nullable Map<String, ByteBuffer> row(Key of) {
    return rows.get(of);
  }

  void put(Map<String, ByteBuffer> values) {
    rows.computeIfAbsent(key(values), absent -> new LinkedHashMap<>()).putAll(values);
  }

  void remove(Key of) {
    rows.remove(of);
  }

  /** Returns all rows with these values of columns, in order. */
  List<Map<String, ByteBuffer>> where(Map<String, ByteBuffer> values) {
    return rows.values().stream()
        .filter(
            row ->
                values.entrySet().stream().allMatch(v -> v.getValue().equals(row.get(v.getKey()))))
        .toList();
  }

  /** Returns those of the rows that come after a page, in order. */
  List<Map<String, ByteBuffer>> after(ByteBuffer state, List<Map<String, ByteBuffer>> found) {
    Key last = Key.ofState(state);
    return found.stream().filter(row -> key(row).compareTo(last) > 0).toList();
  }

  /** Returns the rows from a token on, in order. */
  List<Map<String, ByteBuffer>> from(long token) {
    SortedMap<Key, Map<String, ByteBuffer>> tail =
        rows.tailMap(new Key(token, NO_CLUSTERING, NO_CLUSTERING));
    return List.copyOf(tail.values());
  }
}
