package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.execute.table.TablePage.PageRequest;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests SELECTs over a table of (p, c) and four more columns, against a model in plain Java. */
class TableQueryTest {

  private static final List<String> NAMES = List.of("p", "c", "n", "d", "b", "t");

  /** A row of the model; p and c are never null. */
  private record Row(
      int p,
      String c,
      @Nullable Long n,
      @Nullable Double d,
      @Nullable Boolean b,
      @Nullable Instant t) {

    @Nullable Object get(String column) {
      return switch (column) {
        case "p" -> p;
        case "c" -> c;
        case "n" -> n;
        case "d" -> d;
        case "b" -> b;
        default -> t;
      };
    }

    List<@Nullable Object> cells() {
      return Arrays.asList(p, c, n, d, b, t);
    }
  }

  private static RowSet rowSet(List<Row> rows) {
    return new RowSet(
        TestColumns.of("t", "p int, c text, n bigint, d double, b boolean, t timestamp"),
        rows.stream()
            .map(row -> row.cells().stream().<@Nullable ByteBuffer>map(Cells::of).toList())
            .toList());
  }

  private static SmallTable table(List<Row> rows) {
    return new SmallTable(rowSet(rows), List.of("p", "c"));
  }

  private static Classified classified(String cql) {
    return new Classifier().classify(cql, null, Catalog.EMPTY, TestPartitioner.ANY);
  }

  private record Values(List<@Nullable ByteBuffer> bound) implements BoundValues {
    @Override
    public @Nullable ByteBuffer get(int index) {
      return index < bound.size() ? bound.get(index) : null;
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }

  private static TablePage page(
      String cql, List<Row> rows, PageRequest asked, @Nullable Object... bound)
      throws NotAnswerable {
    List<@Nullable ByteBuffer> values =
        Stream.of(bound)
            .<@Nullable ByteBuffer>map(each -> each instanceof ByteBuffer b ? b : Cells.of(each))
            .toList();
    return TableQuery.page(classified(cql), new Values(values), table(rows), asked);
  }

  private static List<List<@Nullable ByteBuffer>> all(
      String cql, List<Row> rows, @Nullable Object... bound) throws NotAnswerable {
    return page(cql, rows, PageRequest.ALL, bound).rows().rows();
  }

  private static List<Row> someRows(Random random) {
    List<Row> rows = new ArrayList<>();
    int most = random.nextInt(40);
    for (int i = 0; i < most; i++) {
      int p = random.nextInt(4) - 1;
      String c = "k" + i % 7 + (char) ('a' + random.nextInt(3));
      if (rows.stream().noneMatch(row -> row.p() == p && row.c().equals(c))) {
        rows.add(
            new Row(
                p,
                c,
                random.nextInt(5) == 0 ? null : (long) random.nextInt(5) - 2,
                random.nextInt(5) == 0 ? null : random.nextInt(4) / 2.0 - 0.5,
                random.nextInt(5) == 0 ? null : random.nextBoolean(),
                random.nextInt(5) == 0 ? null : Instant.ofEpochMilli(random.nextInt(4) * 1000L)));
      }
    }
    return rows;
  }

  /** A WHERE clause and its predicate. */
  private record Where(String cql, Predicate<Row> holds) {}

  private static Where where(Random random, List<Row> rows) {
    List<String> parts = new ArrayList<>();
    Predicate<Row> holds = row -> true;
    for (int n = random.nextInt(3); n > 0; n--) {
      String column = NAMES.get(random.nextInt(NAMES.size()));
      List<Object> values =
          Stream.concat(Stream.of(someValue(column)), rows.stream().map(row -> row.get(column)))
              .filter(Objects::nonNull)
              .toList();
      Object a = values.get(random.nextInt(values.size()));
      Object b = values.get(random.nextInt(values.size()));
      switch (random.nextInt(7)) {
        case 0 -> {
          parts.add(column + " = " + literal(a));
          holds = holds.and(is(column, v -> order(v, a) == 0));
        }
        case 1 -> {
          parts.add(column + " IN (" + literal(a) + ", " + literal(b) + ")");
          holds = holds.and(is(column, v -> order(v, a) == 0 || order(v, b) == 0));
        }
        case 2 -> {
          parts.add(column + " < " + literal(a));
          holds = holds.and(is(column, v -> order(v, a) < 0));
        }
        case 3 -> {
          parts.add(column + " <= " + literal(a));
          holds = holds.and(is(column, v -> order(v, a) <= 0));
        }
        case 4 -> {
          parts.add(column + " > " + literal(a));
          holds = holds.and(is(column, v -> order(v, a) > 0));
        }
        case 5 -> {
          parts.add(column + " >= " + literal(a));
          holds = holds.and(is(column, v -> order(v, a) >= 0));
        }
        default -> {
          parts.add(column + " BETWEEN " + literal(a) + " AND " + literal(b));
          holds = holds.and(is(column, v -> order(v, a) >= 0 && order(v, b) <= 0));
        }
      }
    }
    return new Where(parts.isEmpty() ? "" : " WHERE " + String.join(" AND ", parts), holds);
  }

  private static Predicate<Row> is(String column, Predicate<Object> holds) {
    return row -> row.get(column) != null && holds.test(row.get(column));
  }

  private static Object someValue(String column) {
    return switch (column) {
      case "p" -> 1;
      case "c" -> "k3b";
      case "n" -> 0L;
      case "d" -> 0.5;
      case "b" -> true;
      default -> Instant.ofEpochMilli(1000);
    };
  }

  private static String literal(Object value) {
    return value instanceof String text
        ? "'" + text + "'"
        : value instanceof Instant time ? String.valueOf(time.toEpochMilli()) : value.toString();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int order(@Nullable Object a, @Nullable Object b) {
    return a == null || b == null
        ? Boolean.compare(a != null, b != null)
        : ((Comparable) a).compareTo(b);
  }

  @RepeatedTest(300)
  void a_select_returns_the_rows_of_the_model(RepetitionInfo run) throws NotAnswerable {
    Random random = new Random(run.getCurrentRepetition());
    List<Row> rows = someRows(random);
    Where where = where(random, rows);
    String by = random.nextBoolean() ? NAMES.get(random.nextInt(NAMES.size())) : "";
    boolean descending = random.nextBoolean();
    int limit = random.nextBoolean() ? 1 + random.nextInt(20) : -1;
    String selected = random.nextBoolean() ? "*" : "c, n AS \"N\", p";
    String cql =
        "SELECT "
            + selected
            + " FROM system.t"
            + where.cql()
            + (by.isEmpty() ? "" : " ORDER BY " + by + (descending ? " DESC" : ""))
            + (limit < 0 ? "" : " LIMIT " + limit)
            + (random.nextBoolean() ? " ALLOW FILTERING" : "");

    Comparator<Row> key = Comparator.comparing(Row::p).thenComparing(Row::c);
    Comparator<Row> first = (a, b) -> order(a.get(by), b.get(by)) * (descending ? -1 : 1);
    Function<Row, List<@Nullable ByteBuffer>> shown =
        selected.equals("*")
            ? row -> row.cells().stream().<@Nullable ByteBuffer>map(Cells::of).toList()
            : row -> Arrays.asList(Cells.of(row.c()), Cells.of(row.n()), Cells.of(row.p()));
    List<List<@Nullable ByteBuffer>> expected =
        rows.stream()
            .filter(where.holds())
            .sorted(by.isEmpty() ? key : nullsKept(first, by, descending).thenComparing(key))
            .limit(limit < 0 ? Long.MAX_VALUE : limit)
            .map(shown)
            .collect(Collectors.toList());

    assertThat(all(cql, rows)).as(cql).isEqualTo(expected);
    assertThat(inPages(cql, rows, 1 + random.nextInt(6))).as(cql).isEqualTo(expected);
    long count = rows.stream().filter(where.holds()).count();
    assertThat(all("SELECT count(*) FROM system.t" + where.cql(), rows))
        .containsExactly(List.of(Objects.requireNonNull(Cells.of(count))));
  }

  /** A null comes first in either direction. */
  private static Comparator<Row> nullsKept(Comparator<Row> order, String by, boolean descending) {
    return descending
        ? Comparator.<Row, Boolean>comparing(row -> row.get(by) != null)
            .thenComparing(
                (a, b) -> a.get(by) == null || b.get(by) == null ? 0 : order.compare(a, b))
        : order;
  }

  private static List<List<@Nullable ByteBuffer>> inPages(String cql, List<Row> rows, int size)
      throws NotAnswerable {
    List<List<@Nullable ByteBuffer>> seen = new ArrayList<>();
    ByteBuffer state = null;
    do {
      TablePage page = page(cql, rows, new PageRequest(size, state));
      assertThat(page.rows().rows()).hasSizeLessThanOrEqualTo(size);
      seen.addAll(page.rows().rows());
      state = page.pagingState();
    } while (state != null);
    return seen;
  }

  private static final List<Row> FOUR =
      List.of(
          new Row(2, "b", 1L, 0.5, true, Instant.EPOCH),
          new Row(1, "b", 2L, null, null, null),
          new Row(1, "a", 3L, -1.5, false, Instant.ofEpochMilli(1_700_000_000_123L)),
          new Row(3, "c", null, 2.0, true, null));

  private static List<String> json(String rest, @Nullable Object... bound) throws NotAnswerable {
    return all("SELECT JSON " + rest, FOUR, bound).stream()
        .map(row -> StandardCharsets.UTF_8.decode(row.get(0).duplicate()).toString())
        .toList();
  }

  @Test
  void json_shows_values_as_cassandra_does() throws NotAnswerable {
    assertThat(json("* FROM system.t WHERE p = 1"))
        .containsExactly(
            "{\"p\": 1, \"c\": \"a\", \"n\": 3, \"d\": -1.5, \"b\": false,"
                + " \"t\": \"2023-11-14 22:13:20.123Z\"}",
            "{\"p\": 1, \"c\": \"b\", \"n\": 2, \"d\": null, \"b\": null, \"t\": null}");
    assertThat(JsonText.quoted("a\"b\\c\n\u0001é")).isEqualTo("\"a\\\"b\\\\c\\u000a\\u0001é\"");
  }

  @Test
  void values_are_bound_to_markers_at_any_position() throws NotAnswerable {
    ByteBuffer list = ByteBuffer.allocate(24).putInt(2).putInt(4).putInt(1).putInt(4).putInt(3);
    assertThat(json("p, c FROM system.t WHERE p IN ? LIMIT ?", list.flip(), 2))
        .containsExactly("{\"p\": 1, \"c\": \"a\"}", "{\"p\": 1, \"c\": \"b\"}");
    assertThat(json("p FROM system.t WHERE n >= ? AND c = ?", 2L, "b"))
        .containsExactly("{\"p\": 1}");
    assertThat(json("p FROM system.t WHERE n = ?", (Object) null)).isEmpty();
  }

  @Test
  void distinct_shows_each_row_once() throws NotAnswerable {
    assertThat(json("p FROM system.t")).hasSize(4);
    assertThat(json("DISTINCT p FROM system.t"))
        .containsExactly("{\"p\": 1}", "{\"p\": 2}", "{\"p\": 3}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT nothing FROM system.t | Undefined column name nothing in table system.t",
        "SELECT * FROM system.t WHERE nothing = 1 | Undefined column name nothing",
        "SELECT * FROM system.t ORDER BY nothing | Undefined column name nothing",
        "SELECT * FROM system.t WHERE p = 'x' | Invalid STRING constant (x) for \"p\" of type int",
        "SELECT * FROM system.t LIMIT 0 | LIMIT must be strictly positive",
        "SELECT max(p) FROM system.t | does not support this selector",
        "SELECT * FROM system.t GROUP BY p | does not support GROUP BY",
        "SELECT * FROM system.t WHERE token(p) > 1 | does not support this condition",
        "SELECT * FROM system.t WHERE c LIKE 'a%' | does not support this condition",
        "SELECT * FROM system.t PER PARTITION LIMIT 1 | does not support PER PARTITION LIMIT",
      })
  void an_unsupported_select_is_refused_with_a_message(String cql, String words) {
    assertThatThrownBy(() -> all(cql, FOUR))
        .isInstanceOf(NotAnswerable.class)
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "536c707400000001", "536c7074000000017400000001000000ff"})
  void a_damaged_paging_state_is_refused(String hex) {
    ByteBuffer state = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    assertThatThrownBy(() -> page("SELECT * FROM system.t", FOUR, new PageRequest(1, state)))
        .isInstanceOf(NotAnswerable.class)
        .hasMessage("Invalid value for the paging state");
  }

  @Test
  void a_truncated_paging_state_is_refused() throws NotAnswerable {
    ByteBuffer whole = page("SELECT * FROM system.t", FOUR, new PageRequest(1, null)).pagingState();
    assertThat(whole).isNotNull();
    for (int length = 0; length < whole.remaining(); length++) {
      ByteBuffer cut = whole.duplicate().limit(length);
      assertThatThrownBy(() -> page("SELECT * FROM system.t", FOUR, new PageRequest(1, cut)))
          .isInstanceOf(NotAnswerable.class);
    }
  }

  @Test
  void a_page_computes_only_the_cells_that_it_compares_or_shows() throws NotAnswerable {
    RowSet columns = table(FOUR).rows();
    List<Integer> facts = IntStream.range(0, 1_000).boxed().toList();
    AtomicInteger keys = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    SmallTable table =
        SmallTable.of(
            List.of(columns.columns().get(0), columns.columns().get(2)),
            List.of("p"),
            facts,
            List.<Function<Integer, Object>>of(
                fact -> {
                  keys.incrementAndGet();
                  return fact;
                },
                fact -> {
                  others.incrementAndGet();
                  return (long) -fact;
                }));

    TablePage page =
        TableQuery.page(
            classified("SELECT n FROM system.t"),
            BoundValues.NONE,
            table,
            new PageRequest(10, null));

    assertThat(page.rows().rows()).hasSize(10);
    assertThat(page.rows().rows().get(9).get(0)).isEqualTo(Cells.of(-9L));
    assertThat(keys).hasValue(1_000);
    assertThat(others.get()).isLessThan(50);
  }
}
