package io.sluice.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Operation.Cas;
import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Read;
import io.sluice.torture.check.Operation.Row;
import io.sluice.torture.check.Operation.SerialRead;
import io.sluice.torture.check.Operation.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories of a model store, in which every request takes effect at one moment between its begin
 * and its end, are right. After one change they are wrong.
 */
class ModelTest {
  private static final long SEARCH = 1_000_000;

  static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  private static Verdict judge(History history) {
    return new Checker(0, SEARCH).judge(history);
  }

  private static Stream<Violation.Rule> broken(History history) {
    return judge(history).violations().stream().map(Violation::rule);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_history_of_the_model_is_right(long seed) {
    Verdict verdict = judge(new ModelStore(seed).run());
    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.undecided()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_lost_write_is_found(long seed) {
    History right = new ModelStore(seed).run();
    Read read =
        any(
            seed,
            right,
            Read.class,
            each -> each.call().acknowledged() && each.value() != Operation.ABSENT);
    assertThat(
            broken(
                changed(
                    right,
                    each ->
                        each instanceof Write write && write.value() == read.value()
                            ? new Write(write.call(), write.key(), 1_000_000)
                            : each)))
        .contains(Violation.Rule.VALUES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_stale_read_is_found(long seed) {
    History right = new ModelStore(seed).run();
    Writes writes = Writes.in(right);
    Read read = any(seed, right, Read.class, each -> isOverwritten(writes, each));
    int newest = writes.acknowledgedBefore(read.key(), read.call().begin());
    long old = writes.of(read.key()).get(newest - 1).value();
    assertThat(broken(replaced(right, read, new Read(read.call(), Level.QUORUM, read.key(), old))))
        .contains(Violation.Rule.VALUES);
  }

  /** A missing row does not show which of several deletions it is due to. */
  private static boolean isOverwritten(Writes writes, Read read) {
    int newest = writes.acknowledgedBefore(read.key(), read.call().begin());
    return read.call().acknowledged()
        && newest > 0
        && writes.of(read.key()).get(newest - 1).value() != Operation.ABSENT;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_stale_serial_read_is_found(long seed) {
    History right = new ModelStore(seed).run();
    SerialRead read =
        any(
            seed,
            right,
            SerialRead.class,
            each -> right.all(Cas.class).stream().anyMatch(cas -> overwritten(cas, each)));
    long old =
        right.all(Cas.class).stream()
            .filter(cas -> overwritten(cas, read))
            .findFirst()
            .orElseThrow()
            .expected();
    assertThat(broken(replaced(right, read, new SerialRead(read.call(), read.register(), old))))
        .contains(Violation.Rule.REGISTERS);
  }

  private static boolean overwritten(Cas cas, SerialRead read) {
    return read.call().acknowledged()
        && cas.register() == read.register()
        && cas.call().acknowledged()
        && cas.applied()
        && cas.call().end() < read.call().begin();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_doubled_change_is_found(long seed) {
    History right = new ModelStore(seed).run();
    Cas refused =
        any(seed, right, Cas.class, each -> each.call().acknowledged() && !each.applied());
    Cas applied =
        new Cas(refused.call(), refused.register(), refused.expected(), refused.value(), true, 0);
    assertThat(broken(replaced(right, refused, applied))).contains(Violation.Rule.REGISTERS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_lost_row_is_found(long seed) {
    History right = new ModelStore(seed).run();
    Writes writes = Writes.in(right);
    Page page =
        any(
            seed,
            right,
            Page.class,
            each -> isWhole(right, each) && certain(right, writes, each).length > 0);
    long lost = certain(right, writes, page)[0];
    List<Row> left = page.rows().stream().filter(row -> row.key() != lost).toList();
    assertThat(broken(replaced(right, page, new Page(page.call(), page.scan(), left))))
        .contains(Violation.Rule.SCANS);
  }

  private static boolean isWhole(History history, Page page) {
    return history.scans().get((int) page.scan()).whole();
  }

  private static long[] certain(History history, Writes writes, Page page) {
    Scan scan = history.scans().get((int) page.scan());
    return page.rows().stream()
        .mapToLong(Row::key)
        .filter(key -> writes.existsThroughout(key, scan.level(), scan.begin(), scan.end()))
        .toArray();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_doubled_row_is_found(long seed) {
    History right = new ModelStore(seed).run();
    Page page = any(seed, right, Page.class, each -> !each.rows().isEmpty());
    List<Row> more = new ArrayList<>(page.rows());
    more.add(page.rows().get(0));
    assertThat(broken(replaced(right, page, new Page(page.call(), page.scan(), more))))
        .contains(Violation.Rule.SCANS);
  }

  private static <T extends Operation> T any(
      long seed, History history, Class<T> kind, Predicate<T> which) {
    List<T> fitting = history.all(kind).stream().filter(which).toList();
    return fitting.get(new Random(seed).nextInt(fitting.size()));
  }

  private static History replaced(History history, Operation one, Operation other) {
    return changed(history, each -> each.equals(one) ? other : each);
  }

  private static History changed(History history, UnaryOperator<Operation> change) {
    return new History(
        history.asked(),
        history.operations().stream().map(change).toList(),
        history.scans(),
        history.disturbances());
  }
}
