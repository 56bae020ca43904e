package io.sluice.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.torture.check.Operation.Cas;
import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Read;
import io.sluice.torture.check.Operation.Row;
import io.sluice.torture.check.Operation.SerialRead;
import io.sluice.torture.check.Operation.Write;
import io.sluice.torture.check.Violation.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A history written by hand: operations with their times, all of key or register 1. */
final class Story {
  static final long GRACE = 10;

  private static final long STEPS = 100_000;
  private static final Failure TIMEOUT = new Failure(Failure.Kind.TIMEOUT, "timed out");

  private final List<Operation> operations = new ArrayList<>();
  private final List<Scan> scans = new ArrayList<>();
  private final List<Disturbance> disturbances = new ArrayList<>();
  private long asked;

  Story write(long begin, long end, long value) {
    return write(1, begin, end, value);
  }

  Story write(long key, long begin, long end, long value) {
    return add(new Write(told(begin, end), key, value));
  }

  Story unknownWrite(long begin, long end, long value) {
    return add(new Write(failed(begin, end, TIMEOUT), 1, value));
  }

  Story failedWrite(long begin, long end, long value, Failure.Kind kind) {
    return add(new Write(failed(begin, end, new Failure(kind, "failed")), 1, value));
  }

  Story read(long begin, long end, long value) {
    return add(new Read(told(begin, end), Level.QUORUM, 1, value));
  }

  Story readAtOne(long begin, long end, long value) {
    return add(new Read(told(begin, end), Level.ONE, 1, value));
  }

  Story increment(long begin, long end, long by) {
    return add(new Operation.Increment(told(begin, end), 1, by));
  }

  Story unknownIncrement(long begin, long end, long by) {
    return add(new Operation.Increment(failed(begin, end, TIMEOUT), 1, by));
  }

  Story failedIncrement(long begin, long end, long by, Failure.Kind kind) {
    return add(new Operation.Increment(failed(begin, end, new Failure(kind, "failed")), 1, by));
  }

  Story count(long begin, long end, long seen) {
    return add(new Operation.CounterRead(told(begin, end), 1, seen));
  }

  Story failedCount(long begin, long end) {
    return add(new Operation.CounterRead(failed(begin, end, TIMEOUT), 1, 0));
  }

  Story append(long begin, long end, long element) {
    return add(new Operation.Append(told(begin, end), 1, element));
  }

  Story unknownAppend(long begin, long end, long element) {
    return add(new Operation.Append(failed(begin, end, TIMEOUT), 1, element));
  }

  Story failedAppend(long begin, long end, long element, Failure.Kind kind) {
    return add(new Operation.Append(failed(begin, end, new Failure(kind, "failed")), 1, element));
  }

  Story list(long begin, long end, Long... elements) {
    return add(new Operation.ListRead(told(begin, end), 1, List.of(elements)));
  }

  Story failedList(long begin, long end) {
    return add(new Operation.ListRead(failed(begin, end, TIMEOUT), 1, List.of()));
  }

  Story failedRead(long begin, long end, Failure.Kind kind) {
    return add(new Read(failed(begin, end, new Failure(kind, "failed")), Level.QUORUM, 1, 0));
  }

  Story closedRead(long begin, long end, String... closedAt) {
    Failure failure = new Failure(Failure.Kind.CLOSED, "lost", List.of(closedAt));
    return add(new Read(failed(begin, end, failure), Level.QUORUM, 1, 0));
  }

  Story cas(long begin, long end, long expected, long value) {
    return add(new Cas(told(begin, end), 1, expected, value, true, 0));
  }

  Story refused(long begin, long end, long expected, long value, long seen) {
    return add(new Cas(told(begin, end), 1, expected, value, false, seen));
  }

  Story unknownCas(long begin, long end, long expected, long value) {
    return add(new Cas(failed(begin, end, TIMEOUT), 1, expected, value, false, 0));
  }

  Story serialRead(long begin, long end, long seen) {
    return add(new SerialRead(told(begin, end), 1, seen));
  }

  Story failedSerialRead(long begin, long end, Failure.Kind kind) {
    return add(new SerialRead(failed(begin, end, new Failure(kind, "failed")), 1, 0));
  }

  /**
   * Adds a scan of the keys 1 to 3 with one page for each list of keys; the value of key k is 10 k.
   */
  @SafeVarargs
  final Story scan(long begin, boolean whole, List<Long>... pages) {
    return scan(Level.QUORUM, begin, whole, pages);
  }

  @SafeVarargs
  final Story scan(Level level, long begin, boolean whole, List<Long>... pages) {
    long at = begin;
    for (List<Long> keys : pages) {
      List<Row> rows = keys.stream().map(key -> new Row(key, 10 * key)).toList();
      add(new Page(told(at, at + 1), scans.size(), rows));
      at += 2;
    }
    scans.add(new Scan(scans.size(), level, 1, 3, begin, at - 1, whole));
    return this;
  }

  /**
   * Returns a history in which the keys 1 to 3 are written from 0 to 1; the value of key k is 10 k.
   */
  static Story ofThreeRows() {
    Story story = new Story();
    LongStream.rangeClosed(1, 3).forEach(key -> story.write(key, 0, 1, 10 * key));
    return story;
  }

  Story disturbed(long from, long to) {
    disturbances.add(new Disturbance("a fault", from, to, true));
    return this;
  }

  Story disturbedAt(String address, long from, long to) {
    disturbances.add(new Disturbance("a fault", from, to, true, address));
    return this;
  }

  /** Adds a fault of a process that clients are not connected to. */
  Story disturbedBehind(long from, long to) {
    disturbances.add(new Disturbance("a fault behind", from, to, false));
    return this;
  }

  Story askedWithoutOutcome() {
    asked++;
    return this;
  }

  Story surplus(long at) {
    return add(new Operation.Surplus(told(at, at), "stream 7: VOID"));
  }

  Story lastToldTwice() {
    operations.add(operations.get(operations.size() - 1));
    return this;
  }

  /** Checks that a story breaks no rule. */
  static void fine(Story story) {
    assertThat(story.violations()).isEmpty();
  }

  /** Checks that a story breaks this rule once, and no other. */
  static void wrong(Story story, Rule rule, String what) {
    assertThat(story.violations())
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.rule()).isEqualTo(rule);
              assertThat(violation.what()).contains(what);
            });
  }

  List<Violation> violations() {
    Verdict verdict = verdict(STEPS);
    assert verdict.undecided().isEmpty();
    return verdict.violations();
  }

  Verdict verdict(long steps) {
    return new Checker(GRACE, steps).judge(new History(asked, operations, scans, disturbances));
  }

  private Story add(Operation operation) {
    operations.add(operation);
    return this;
  }

  private Call told(long begin, long end) {
    return new Call(asked++, 0, begin, end, null);
  }

  private Call failed(long begin, long end, Failure failure) {
    return new Call(asked++, 0, begin, end, failure);
  }
}
