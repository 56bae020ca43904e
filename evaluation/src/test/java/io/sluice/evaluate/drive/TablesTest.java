package io.sluice.evaluate.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.load.RequestFailure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests to loaded tables of a node in memory, which returns right and wrong answers. */
class TablesTest {
  private static final int ROWS = 40;
  private static final Data DATA =
      new Data("ks", 2, ROWS, key -> new Murmur3TokenFactory().hash(key), 20);
  private static final Tables.Levels LEVELS =
      new Tables.Levels(ConsistencyLevel.TWO, ConsistencyLevel.QUORUM);
  private static final String REPLICATION = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
  private static final int QUORUM = 4;
  private static final int TWO = 2;
  private static final int ALL = 5;

  private static final FakeNode NODE = FakeNode.start();
  private static final CqlSession SESSION = NODE.open();

  private final SplittableRandom random = new SplittableRandom(5);

  @BeforeAll
  static void load() throws InterruptedException {
    Loader loader = new Loader(SESSION, DATA);
    loader.create(REPLICATION);
    loader.load(1, rows -> {});
    Partitions.load(SESSION, new Partitions.Shape("wide", 130), REPLICATION, rows -> {});
  }

  @AfterAll
  static void close() {
    SESSION.close();
    NODE.close();
  }

  private static @Nullable RequestFailure outcome(Ask ask) {
    return ask.sending().get().toCompletableFuture().join();
  }

  private static Requests requests(RequestClass of, Check check) {
    Tables tables = new Tables(SESSION, DATA);
    return switch (of) {
      case SINGLE -> tables.mix(new Mix(1, 0, 0, 1, false), LEVELS, check);
      case RANGE -> tables.mix(new Mix(0, 1, 0, 10, false), LEVELS, check);
      case WRITE -> tables.mix(new Mix(0, 0, 1, 1, false), LEVELS, check);
      case LIST -> tables.lists(5, check);
      case SCAN -> tables.scans(check);
      case COUNT -> tables.counts();
      case NARROW, WIDE -> new Partitions(SESSION, new Partitions.Shape("wide", 130), check);
    };
  }

  @ParameterizedTest
  @EnumSource(RequestClass.class)
  void the_right_answers_pass_row_by_row(RequestClass of) {
    Requests requests = requests(of, Check.ALL_ROWS);

    for (int i = 0; i < 30; i++) {
      assertThat(outcome(requests.next(random))).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SINGLE, ALL_ROWS", "SINGLE, COUNTS", "RANGE, ALL_ROWS", "RANGE, COUNTS", "LIST, ALL_ROWS",
    "LIST, COUNTS", "SCAN, ALL_ROWS", "SCAN, COUNTS", "NARROW, ALL_ROWS", "NARROW, COUNTS"
  })
  void an_answer_without_its_last_row_is_a_short_read(RequestClass of, Check check) {
    Ask ask = requests(of, check).next(random);
    NODE.spoil("SELECT", 1, Flaw.withoutLastRow());

    assertThat(outcome(ask)).isEqualTo(RequestFailure.SHORT_READ);
    assertThat(outcome(ask)).as("the next answer").isNull();
  }

  @ParameterizedTest
  @CsvSource({"SINGLE", "RANGE", "LIST", "SCAN", "NARROW"})
  void an_answer_with_a_row_twice_is_wrong_by_its_count(RequestClass of) {
    Ask ask = requests(of, Check.COUNTS).next(random);
    NODE.spoil("SELECT", 1, Flaw.firstRowTwice());

    assertThat(outcome(ask)).isEqualTo(RequestFailure.WRONG_ROWS);
  }

  /** Changes the last byte of the value, which is in the second column. */
  private static List<List<ByteBuffer>> changed(List<List<ByteBuffer>> rows) {
    List<ByteBuffer> first = new ArrayList<>(rows.get(0));
    byte[] value = new byte[first.get(1).remaining()];
    first.get(1).duplicate().get(value);
    value[value.length - 1]++;
    first.set(1, ByteBuffer.wrap(value));
    List<List<ByteBuffer>> changed = new ArrayList<>(rows);
    changed.set(0, first);
    return changed;
  }

  @ParameterizedTest
  @CsvSource({"SINGLE", "RANGE", "LIST", "SCAN", "NARROW"})
  void a_changed_value_is_found_if_rows_are_checked(RequestClass of) {
    Ask thorough = requests(of, Check.ALL_ROWS).next(random);
    NODE.spoil("SELECT", 1, Flaw.rows(TablesTest::changed));
    assertThat(outcome(thorough)).isEqualTo(RequestFailure.WRONG_ROWS);

    Ask quick = requests(of, Check.COUNTS).next(random);
    NODE.spoil("SELECT", 1, Flaw.rows(TablesTest::changed));
    assertThat(outcome(quick)).as("only counted").isNull();
  }

  @Test
  void a_row_without_its_value_is_wrong() {
    Ask ask = requests(RequestClass.SINGLE, Check.ALL_ROWS).next(random);
    NODE.spoil(
        "SELECT",
        1,
        Flaw.rows(
            rows -> {
              List<ByteBuffer> cells = new ArrayList<>(rows.get(0));
              cells.set(1, null);
              return List.of(cells);
            }));

    assertThat(outcome(ask)).isEqualTo(RequestFailure.WRONG_ROWS);
  }

  @ParameterizedTest
  @CsvSource({"39, SHORT_READ", "41, WRONG_ROWS", "40,"})
  void a_count_is_compared_with_the_rows_of_the_table(long count, RequestFailure failure) {
    Ask ask = requests(RequestClass.COUNT, Check.COUNTS).next(random);
    NODE.spoil(
        "count(*)",
        1,
        Flaw.rows(rows -> List.of(List.of(ByteBuffer.allocate(8).putLong(0, count)))));

    assertThat(outcome(ask)).isEqualTo(failure);
  }

  @Test
  void an_error_of_the_node_fails_the_request_with_its_kind() {
    Ask ask = requests(RequestClass.SINGLE, Check.COUNTS).next(random);
    NODE.spoil("SELECT", 1, Flaw.error(ErrorCode.OVERLOADED));

    assertThatThrownBy(() -> outcome(ask))
        .satisfies(
            error ->
                assertThat(RequestFailure.of(Objects.requireNonNull(error.getCause())))
                    .isEqualTo(RequestFailure.OVERLOADED));
  }

  @Test
  void reads_and_writes_of_a_mix_have_their_levels() {
    Requests both = new Tables(SESSION, DATA).mix(new Mix(1, 1, 1, 5, false), LEVELS, Check.COUNTS);
    for (int i = 0; i < 40; i++) {
      assertThat(outcome(both.next(random))).isNull();
    }

    assertThat(NODE.levels("SELECT k, v, sum FROM ks.t1 WHERE k = ?")).containsExactly(TWO);
    assertThat(NODE.levels("SELECT k, v, sum FROM ks.t1 WHERE token(k) >= ? LIMIT ?"))
        .containsExactly(TWO);
    assertThat(NODE.levels("INSERT INTO ks.t1 (k, v, sum) VALUES (?, ?, ?)"))
        .contains(QUORUM)
        .isSubsetOf(QUORUM, ALL);
  }

  @Test
  void a_write_gives_a_row_a_new_value_and_its_checksum() {
    Map<ByteBuffer, ByteBuffer> before = values("ks.t0");
    Requests writes = requests(RequestClass.WRITE, Check.COUNTS);
    for (int i = 0; i < 20; i++) {
      writes.next(random).sending().get().toCompletableFuture().join();
    }

    Map<ByteBuffer, ByteBuffer> after = values("ks.t0");
    assertThat(after).hasSameSizeAs(before).isNotEqualTo(before);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    Requests scan = new WholeTable(SESSION, DATA).scans(Check.ALL_ROWS);
    assertThat(outcome(scan.next(random))).isNull();
    assertThat(outcome(scan.next(random))).isNull();
  }

  private static Map<ByteBuffer, ByteBuffer> values(String table) {
    return SESSION.execute("SELECT k, v FROM " + table).all().stream()
        .collect(
            Collectors.toMap(
                row -> Objects.requireNonNull(row.getByteBuffer("k")),
                row -> Objects.requireNonNull(row.getByteBuffer("v"))));
  }

  @Test
  void an_answer_has_the_rows_of_all_its_pages() {
    SimpleStatement paged =
        SimpleStatement.newInstance("SELECT k, v, sum FROM ks.t0").setPageSize(7);

    Answer<Object> counted =
        SESSION.executeAsync(paged).thenCompose(Answer::counted).toCompletableFuture().join();
    Answer<ByteBuffer> kept =
        SESSION
            .executeAsync(paged)
            .thenCompose(page -> Answer.kept(page, TablesTest::key))
            .toCompletableFuture()
            .join();

    assertThat(counted.count()).isEqualTo(ROWS);
    assertThat(counted.rows()).isEmpty();
    assertThat(kept.count()).isEqualTo(ROWS);
    assertThat(kept.rows()).doesNotHaveDuplicates().hasSize(ROWS);
  }

  private static ByteBuffer key(Row row) {
    return Objects.requireNonNull(row.getByteBuffer("k"));
  }

  @Test
  void a_page_that_fails_fails_the_request() {
    SimpleStatement paged =
        SimpleStatement.newInstance("SELECT k, v, sum FROM ks.t0").setPageSize(7);
    Answer<Object> whole =
        SESSION.executeAsync(paged).thenCompose(Answer::counted).toCompletableFuture().join();
    assertThat(whole.fault(ROWS)).isNull();

    assertThatThrownBy(
            () ->
                SESSION
                    .executeAsync(paged)
                    .thenCompose(
                        page -> {
                          NODE.spoil("SELECT", 1, Flaw.error(ErrorCode.OVERLOADED));
                          return Answer.counted(page);
                        })
                    .toCompletableFuture()
                    .join())
        .hasMessageContaining("a fault of the test");
  }

  @Test
  void a_list_has_at_least_one_key_and_at_most_those_of_the_table() {
    Tables tables = new Tables(SESSION, DATA);

    assertThat(outcome(tables.lists(ROWS, Check.ALL_ROWS).next(random))).isNull();
    assertThatThrownBy(() -> tables.lists(ROWS + 1, Check.COUNTS))
        .hasMessage("an IN of 41 keys of 40 rows");
    assertThatThrownBy(() -> tables.lists(0, Check.COUNTS)).hasMessageContaining("an IN of 0 keys");
  }

  @Test
  void one_of_a_hundred_reads_of_partitions_is_of_the_wide_one() {
    Requests reads = requests(RequestClass.WIDE, Check.COUNTS);
    int wide = 0;
    for (int i = 0; i < 10_000; i++) {
      wide += reads.next(random).of() == RequestClass.WIDE ? 1 : 0;
    }
    assertThat(wide).isBetween(60, 140);
  }

  @Test
  void a_mix_has_no_requests_of_other_classes() {
    Tables tables = new Tables(SESSION, DATA);
    Request scan = new Request(RequestClass.SCAN, 0, 0, 1);

    assertThatThrownBy(() -> outcome(tables.ask(scan, LEVELS, false)))
        .hasMessage("not a class of a mix: SCAN");
  }
}
