package io.sluice.torture.load;

import static io.sluice.torture.load.TortureStore.broken;
import static io.sluice.torture.load.TortureStore.steps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import io.sluice.fake.FakeNode;
import io.sluice.fake.Flaw;
import io.sluice.torture.check.Checker;
import io.sluice.torture.check.History;
import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Scan;
import io.sluice.torture.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The clients of torture at a node in memory, with the judgement of their history. The node gets
 * the faults that a checker must find, so the whole way of a fault is tested: from the answer in
 * the protocol to the violation.
 */
class ClientsTest {
  private static final long SEED = 11;
  private static final int ALL = 5;
  private static final int QUORUM = 4;
  private static final int LOCAL_ONE = 10;
  private static final int SERIAL = 8;

  private static final TortureStore STORE = new TortureStore();
  private static final FakeNode NODE = STORE.node();

  private final Journal journal = new Journal();

  /** Writes a fifth of the keys, of which a seventh may be deleted. */
  private final RowClient rows = new RowClient(0, SEED, STORE.sessions(), journal, 0, 5);

  private final ScanClient scans = new ScanClient(1, SEED, STORE.sessions(), journal);
  private final RegisterClient registers = new RegisterClient(2, SEED, STORE.sessions(), journal);
  private final CounterClient counters = new CounterClient(3, SEED, STORE.sessions(), journal);
  private final ListClient lists = new ListClient(4, SEED, STORE.sessions(), journal);

  @AfterAll
  static void close() {
    STORE.close();
  }

  @BeforeEach
  void clear() {
    STORE.clear();
  }

  @Test
  void every_row_is_written_first_at_all() {
    assertThat(new RowClient(0, SEED, STORE.sessions(), journal, 0, 1).load()).isTrue();

    assertThat(NODE.rows("narrow")).isEqualTo(600);
    assertThat(NODE.rows("wide")).isEqualTo(600);
    assertThat(NODE.levels(Text.PUT.cql())).contains(ALL);
    List<Operation.Write> writes = journal.history().all(Operation.Write.class);
    assertThat(writes).extracting(Operation.Write::value).doesNotHaveDuplicates().hasSize(1200);
    assertThat(writes).extracting(Operation.Write::key).doesNotHaveDuplicates();
  }

  @Test
  void the_writers_share_the_keys_without_overlap() {
    List<Long> keys = new ArrayList<>();
    for (int writer = 0; writer < 3; writer++) {
      assertThat(new RowClient(9 + writer, SEED, STORE.sessions(), journal, writer, 3).load())
          .isTrue();
    }
    journal.history().all(Operation.Write.class).forEach(write -> keys.add(write.key()));

    assertThat(keys).hasSize(1200).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Table.class)
  void each_writer_has_rows_that_it_deletes_and_rows_that_stay(Table table) {
    Map<Long, Long> deleted =
        LongStream.rangeClosed(table.firstKey(), table.lastKey())
            .filter(Table::mayBeDeleted)
            .boxed()
            .collect(Collectors.groupingBy(key -> key % Workload.WRITERS, Collectors.counting()));

    assertThat(deleted).hasSize(Workload.WRITERS);
    assertThat(deleted.values())
        .allSatisfy(count -> assertThat(count).isBetween(1L, 600L / Workload.WRITERS - 1));
  }

  @Test
  void a_load_ends_at_the_first_row_that_cannot_be_written() {
    NODE.spoil(Text.PUT.cql(), 1, Flaw.error(ErrorCode.WRITE_FAILURE));

    assertThat(rows.load()).isFalse();
    assertThat(journal.failed()).isEqualTo(1);
    assertThat(journal.asked()).isEqualTo(1);
  }

  @Test
  void all_clients_of_a_right_store_break_no_rule() {
    assertThat(rows.load()).isTrue();
    RegisterClient rival = new RegisterClient(5, SEED, STORE.sessions(), journal);
    for (int i = 0; i < 100; i++) {
      for (Client each : List.of(rows, scans, registers, rival, counters, lists)) {
        assertThat(each.step()).isTrue();
      }
    }
    scans.finish();
    for (Table table : Table.values()) {
      rows.readAll(table);
      scans.scanAll(table, Level.QUORUM);
      scans.scanAll(table, Level.ONE);
    }
    registers.readAll();
    counters.readAll();
    lists.readAll();

    History history = journal.history();
    assertThat(broken(journal)).isEmpty();
    assertThat(journal.failed()).isZero();
    assertThat(history.operations())
        .extracting(Object::getClass)
        .contains(
            Operation.Write.class,
            Operation.Read.class,
            Operation.Page.class,
            Operation.Cas.class,
            Operation.SerialRead.class,
            Operation.Increment.class,
            Operation.CounterRead.class,
            Operation.Append.class,
            Operation.ListRead.class);
    assertThat(history.all(Operation.Cas.class))
        .extracting(Operation.Cas::applied)
        .contains(true, false);
    assertThat(history.scans()).filteredOn(Scan::whole).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void requests_have_the_levels_that_the_checker_assumes() {
    assertThat(rows.load()).isTrue();
    steps(rows, 300);
    steps(registers, 60);

    assertThat(NODE.levels(Text.PUT.cql())).containsExactly(QUORUM, ALL);
    assertThat(NODE.levels(Text.REMOVE.cql())).containsExactly(QUORUM);
    assertThat(NODE.levels(Text.GET.cql())).containsExactly(QUORUM, LOCAL_ONE);
    assertThat(NODE.levels(Text.READ_REGISTER.cql())).containsExactly(SERIAL);
  }

  @ParameterizedTest
  @CsvSource({"PUT", "PUT_WIDE"})
  void a_write_that_the_store_loses_is_found(Text text) {
    assertThat(rows.load()).isTrue();
    NODE.spoil(text.cql(), 1, Flaw.lost());
    steps(rows, 60);
    for (Table table : Table.values()) {
      rows.readAll(table);
    }

    assertThat(broken(journal)).contains(Violation.Rule.VALUES);
  }

  @Test
  void a_deletion_that_the_store_loses_is_found() {
    assertThat(rows.load()).isTrue();
    NODE.spoil("DELETE", 1, Flaw.lost());
    while (journal.history().all(Operation.Write.class).stream().noneMatch(ClientsTest::deletes)) {
      assertThat(rows.step()).isTrue();
    }
    for (Table table : Table.values()) {
      rows.readAll(table);
    }

    assertThat(broken(journal)).containsExactly(Violation.Rule.VALUES);
  }

  private static boolean deletes(Operation.Write write) {
    return write.value() == Operation.ABSENT;
  }

  @ParameterizedTest
  @EnumSource(Table.class)
  void a_row_that_a_scan_loses_or_shows_twice_is_found(Table table) {
    assertThat(rows.load()).isTrue();
    String from = "FROM " + table.name().toLowerCase(Locale.ROOT);
    NODE.spoil(from, 1, Flaw.withoutLastRow());
    scans.scanAll(table, Level.QUORUM);
    assertThat(broken(journal)).as("without a row").containsExactly(Violation.Rule.SCANS);

    History first = journal.history();
    NODE.spoil(from, 1, Flaw.firstRowTwice());
    scans.scanAll(table, Level.ONE);
    assertThat(new Checker(0, 1).judge(journal.history()).violations())
        .as("with a row twice")
        .hasSizeGreaterThan(new Checker(0, 1).judge(first).violations().size())
        .anySatisfy(violation -> assertThat(violation.what()).contains("twice"));
  }

  @Test
  void a_page_that_fails_is_requested_again_from_the_same_place() {
    assertThat(rows.load()).isTrue();
    NODE.spoil("SELECT", 1, Flaw.error(ErrorCode.READ_FAILURE));
    assertThat(scans.step()).isFalse();
    while (journal.history().scans().isEmpty()) {
      assertThat(scans.step()).isTrue();
    }

    History history = journal.history();
    assertThat(history.scans())
        .singleElement()
        .satisfies(scan -> assertThat(scan.whole()).isTrue());
    assertThat(history.all(Operation.Page.class).get(0).rows()).isEmpty();
    assertThat(
            history.all(Operation.Page.class).stream().mapToInt(page -> page.rows().size()).sum())
        .isEqualTo(120);
  }

  @Test
  void a_scan_that_is_not_finished_is_not_whole() {
    assertThat(rows.load()).isTrue();
    NODE.spoil("SELECT", 1, Flaw.error(ErrorCode.READ_FAILURE));
    scans.scanAll(Table.WIDE, Level.QUORUM);

    Scan scan = journal.history().scans().get(0);
    assertThat(scan.whole()).isFalse();
    assertThat(scan.firstKey()).isEqualTo(100_000);
    assertThat(scan.lastKey()).isEqualTo(100_599);
    scans.finish();
    assertThat(journal.history().scans()).hasSize(1);
  }

  @Test
  void equal_seeds_make_equal_choices() {
    RowClient same = new RowClient(0, SEED, STORE.sessions(), journal, 0, 5);
    RowClient other = new RowClient(0, SEED + 1, STORE.sessions(), journal, 0, 5);
    List<String> first = choices(rows);

    assertThat(choices(same)).isEqualTo(first);
    assertThat(choices(other)).isNotEqualTo(first);
  }

  private List<String> choices(RowClient client) {
    int before = journal.history().operations().size();
    steps(client, 30);
    List<Operation> all = journal.history().operations();
    return all.subList(before, all.size()).stream()
        .map(
            each ->
                each instanceof Operation.Write write
                    ? "write " + write.key()
                    : "read " + ((Operation.Read) each).key())
        .toList();
  }

  @Test
  void a_column_is_added_to_the_scanned_tables_and_an_error_is_returned_as_text() {
    assertThat(rows.load()).isTrue();
    for (String cql : Schema.addColumn(1)) {
      assertThat(STORE.sessions().change(cql)).isEmpty();
    }
    scans.scanAll(Table.NARROW, Level.QUORUM);
    scans.scanAll(Table.WIDE, Level.QUORUM);
    assertThat(broken(journal)).isEmpty();

    NODE.spoil("ALTER", 1, Flaw.error(ErrorCode.INVALID));
    assertThat(STORE.sessions().change(Schema.addColumn(2).get(0)))
        .isEqualTo("InvalidQueryException: a fault of the test");
  }

  @Test
  void no_session_is_opened_to_a_keyspace_that_was_dropped() {
    STORE.drop();

    assertThat(NODE.has("torture_1.narrow")).isFalse();
    assertThatThrownBy(STORE::open)
        .isInstanceOf(DriverException.class)
        .hasMessageContaining("cannot prepare");
  }
}
