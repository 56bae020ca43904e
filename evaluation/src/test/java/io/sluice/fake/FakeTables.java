package io.sluice.fake;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import com.datastax.oss.protocol.internal.response.result.Void;
import io.sluice.fake.FakeStatement.Role;
import io.sluice.fake.FakeStatement.Term;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tables of fake nodes, and the execution of statements on them. Safe for any thread. */
final class FakeTables {
  private static final Pattern CREATE =
      Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?(\\S+) \\((.*)\\)");
  private static final Pattern DROP = Pattern.compile("DROP KEYSPACE (?:IF EXISTS )?(\\S+)");
  private static final Pattern ALTER =
      Pattern.compile("ALTER TABLE (\\S+) ADD (?:IF NOT EXISTS )?(\\w+) (\\S+)");
  private static final String APPLIED = "[applied]";

  private final Map<String, FakeTable> tables = new HashMap<>();

  /** Executes a change of the schema. Returns null if the text is none. */
  synchronized @Nullable Message change(String cql) {
    Matcher create = CREATE.matcher(cql);
    Matcher drop = DROP.matcher(cql);
    Matcher alter = ALTER.matcher(cql);
    if (create.matches()) {
      tables.putIfAbsent(create.group(1), new FakeTable(create.group(2)));
    } else if (drop.matches()) {
      tables.keySet().removeIf(name -> name.startsWith(drop.group(1) + "."));
    } else if (alter.matches()) {
      table(alter.group(1)).add(alter.group(2), alter.group(3));
    } else if (!cql.startsWith("CREATE KEYSPACE")) {
      return null;
    }
    return Void.INSTANCE;
  }

  /** Returns a table; one without a keyspace in its name is looked for in all of them. */
  synchronized FakeTable table(String name) {
    return tables.entrySet().stream()
        .filter(each -> each.getKey().equals(name) || each.getKey().endsWith("." + name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unconfigured table " + name));
  }

  /** Whether the table exists. */
  synchronized boolean has(String name) {
    return tables.keySet().stream()
        .anyMatch(each -> each.equals(name) || each.endsWith("." + name));
  }

  /** Returns the bind markers of a statement. */
  synchronized List<ColumnSpec> markers(FakeStatement of) {
    FakeTable table = table(of.table());
    List<ColumnSpec> markers = new ArrayList<>();
    for (Term term : of.terms()) {
      if (term.literal() == null) {
        markers.add(spec(term.column(), markers.size(), type(table, term)));
      }
    }
    return markers;
  }

  private static RawType type(FakeTable table, Term term) {
    return switch (term.role()) {
      case LIMIT -> FakeTable.primitive(DataType.INT);
      case FROM_TOKEN -> FakeTable.primitive(DataType.BIGINT);
      case IN -> new RawType.RawList(table.type(term.column()));
      case SET, ADD, EQUALS, IF_EQUALS -> table.type(term.column());
    };
  }

  private static ColumnSpec spec(String name, int index, RawType type) {
    return new ColumnSpec("ks", "t", name, index, type);
  }

  /** Executes a statement on rows. */
  synchronized Message execute(FakeStatement of, List<ByteBuffer> bound, QueryOptions options) {
    if (!has(of.table())) {
      return new Error(ProtocolConstants.ErrorCode.INVALID, "unconfigured table " + of.table());
    }
    FakeTable table = table(of.table());
    List<ByteBuffer> values = values(of, table, bound);
    return switch (of.kind()) {
      case INSERT -> insert(of, table, values);
      case DELETE -> {
        table.remove(table.key(named(of, values, Role.EQUALS)));
        yield Void.INSTANCE;
      }
      case UPDATE -> update(of, table, values);
      case SELECT -> select(of, table, values, options);
    };
  }

  /** Returns all values in the order of the text, with the literal ones. */
  private static List<ByteBuffer> values(
      FakeStatement of, FakeTable table, List<ByteBuffer> bound) {
    List<ByteBuffer> values = new ArrayList<>();
    int next = 0;
    for (Term term : of.terms()) {
      String literal = term.literal();
      values.add(literal == null ? bound.get(next++) : encoded(literal, type(table, term)));
    }
    return values;
  }

  private static ByteBuffer encoded(String literal, RawType type) {
    return switch (type.id) {
      case DataType.INT -> ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.parseInt(literal));
      case DataType.BIGINT -> longBytes(Long.parseLong(literal));
      default -> StandardCharsets.UTF_8.encode(literal);
    };
  }

  private static Map<String, ByteBuffer> named(
      FakeStatement of, List<ByteBuffer> values, Role role) {
    Map<String, ByteBuffer> named = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      if (of.terms().get(i).role() == role) {
        named.put(of.terms().get(i).column(), values.get(i));
      }
    }
    return named;
  }

  private static Message insert(FakeStatement of, FakeTable table, List<ByteBuffer> values) {
    Map<String, ByteBuffer> row = named(of, values, Role.SET);
    Map<String, ByteBuffer> before = table.row(table.key(row));
    if (of.ifNotExists() && before != null) {
      return refusal(table, before, table.columns());
    }
    table.put(row);
    return of.ifNotExists() ? applied() : Void.INSTANCE;
  }

  private static Message update(FakeStatement of, FakeTable table, List<ByteBuffer> values) {
    Map<String, ByteBuffer> row = named(of, values, Role.EQUALS);
    Map<String, ByteBuffer> before = table.row(table.key(row));
    Map<String, ByteBuffer> expected = named(of, values, Role.IF_EQUALS);
    if (!expected.isEmpty()
        && (before == null || !before.entrySet().containsAll(expected.entrySet()))) {
      return refusal(table, before, List.copyOf(expected.keySet()));
    }
    row.putAll(named(of, values, Role.SET));
    named(of, values, Role.ADD)
        .forEach(
            (column, more) ->
                row.put(
                    column,
                    sum(table.type(column), before == null ? null : before.get(column), more)));
    table.put(row);
    return expected.isEmpty() ? Void.INSTANCE : applied();
  }

  /** Returns the sum of a counter, or the elements of both lists. */
  private static ByteBuffer sum(RawType type, @Nullable ByteBuffer before, ByteBuffer more) {
    if (type.id == DataType.COUNTER) {
      return longBytes((before == null ? 0 : before.getLong(0)) + more.getLong(more.position()));
    }
    ByteBuffer first = before == null ? ByteBuffer.allocate(Integer.BYTES) : before.duplicate();
    ByteBuffer second = more.duplicate();
    int count = first.getInt() + second.getInt();
    ByteBuffer both = ByteBuffer.allocate(Integer.BYTES + first.remaining() + second.remaining());
    return both.putInt(count).put(first).put(second).flip();
  }

  private static ByteBuffer longBytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
  }

  private static Message select(
      FakeStatement of, FakeTable table, List<ByteBuffer> values, QueryOptions options) {
    List<Map<String, ByteBuffer>> found = found(of, table, values);
    if (of.counts()) {
      return rows(
          List.of(spec("count", 0, FakeTable.primitive(DataType.BIGINT))),
          List.of(List.of(longBytes(found.size()))),
          null);
    }
    ByteBuffer state = options.pagingState;
    List<Map<String, ByteBuffer>> rest = state == null ? found : table.after(state, found);
    int to = options.pageSize < 1 ? rest.size() : Math.min(rest.size(), options.pageSize);
    List<String> columns = of.selected().isEmpty() ? table.columns() : of.selected();
    List<ColumnSpec> specs = new ArrayList<>();
    columns.forEach(each -> specs.add(spec(each, specs.size(), table.type(each))));
    return rows(
        specs,
        rest.subList(0, to).stream().map(row -> cells(row, columns)).toList(),
        to == rest.size() ? null : table.key(rest.get(to - 1)).asState());
  }

  private static List<Map<String, ByteBuffer>> found(
      FakeStatement of, FakeTable table, List<ByteBuffer> values) {
    List<Map<String, ByteBuffer>> found =
        of.hasRole(Role.FROM_TOKEN)
            ? table.from(only(of, values, Role.FROM_TOKEN).getLong(0))
            : table.where(named(of, values, Role.EQUALS));
    if (of.hasRole(Role.IN)) {
      String column = named(of, values, Role.IN).keySet().iterator().next();
      List<ByteBuffer> keys = elements(only(of, values, Role.IN));
      found = found.stream().filter(row -> keys.contains(row.get(column))).toList();
    }
    return of.hasRole(Role.LIMIT)
        ? found.subList(0, Math.min(found.size(), only(of, values, Role.LIMIT).getInt(0)))
        : found;
  }

  private static ByteBuffer only(FakeStatement of, List<ByteBuffer> values, Role role) {
    return named(of, values, role).values().iterator().next().slice();
  }

  private static List<ByteBuffer> elements(ByteBuffer list) {
    List<ByteBuffer> elements = new ArrayList<>();
    for (int left = list.getInt(); left > 0; left--) {
      int length = list.getInt();
      elements.add(list.slice().limit(length).slice());
      list.position(list.position() + length);
    }
    return elements;
  }

  private static List<ByteBuffer> cells(Map<String, ByteBuffer> row, List<String> columns) {
    List<ByteBuffer> cells = new ArrayList<>();
    for (String column : columns) {
      ByteBuffer cell = row.get(column);
      cells.add(cell == null ? null : cell.duplicate());
    }
    return cells;
  }

  private static Message applied() {
    return rows(List.of(appliedSpec()), List.of(List.of(bool(true))), null);
  }

  private static ColumnSpec appliedSpec() {
    return spec(APPLIED, 0, FakeTable.primitive(DataType.BOOLEAN));
  }

  private static ByteBuffer bool(boolean value) {
    return ByteBuffer.wrap(new byte[] {(byte) (value ? 1 : 0)});
  }

  private static Message refusal(
      FakeTable table, @Nullable Map<String, ByteBuffer> before, List<String> shown) {
    List<ColumnSpec> specs = new ArrayList<>(List.of(appliedSpec()));
    List<ByteBuffer> cells = new ArrayList<>(List.of(bool(false)));
    if (before != null) {
      shown.forEach(each -> specs.add(spec(each, specs.size(), table.type(each))));
      cells.addAll(cells(before, shown));
    }
    return rows(specs, List.of(cells), null);
  }

  static Message rows(
      List<ColumnSpec> columns, List<List<ByteBuffer>> rows, @Nullable ByteBuffer next) {
    Queue<List<ByteBuffer>> data = new ArrayDeque<>(rows);
    return new DefaultRows(
        new RowsMetadata(Objects.requireNonNull(columns), next, new int[0], null), data);
  }
}
