package io.sluice.torture.load;

import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Operation.Row;
import io.sluice.torture.check.Scan;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that scans whole tables, page after page, each page through another session. A page that
 * failed is asked for again. Not safe for several threads.
 */
final class ScanClient extends Client {
  private static final int[] PAGE_SIZES = {7, 40, 100, 250, 1_000};

  private @Nullable Begun scan;
  private @Nullable ByteBuffer next;

  /** A scan under way. */
  private record Begun(long number, Table table, Text text, Level level, long at, int pageSize) {}

  ScanClient(int number, long seed, Sessions sessions, Journal journal) {
    super(number, seed, sessions, journal);
  }

  @Override
  boolean step() {
    Begun current = scan == null ? begin() : scan;
    Answer page = page(current);
    if (page.failure() != null) {
      return false;
    }
    next = page.next();
    if (next == null) {
      end(current, true);
    }
    return true;
  }

  /** Scans a table to its end, or to the first page that fails. */
  void scanAll(Table table, Level level) {
    finish();
    begin(table, level, PAGE_SIZES[1]);
    boolean succeeded = true;
    while (succeeded && scan != null) {
      succeeded = step();
    }
    finish();
  }

  /** Ends a scan that is under way, without its other pages. */
  void finish() {
    if (scan != null) {
      end(scan, false);
    }
  }

  private Begun begin() {
    return begin(
        oneIn(2) ? Table.NARROW : Table.WIDE,
        oneIn(3) ? Level.ONE : Level.QUORUM,
        PAGE_SIZES[(int) below(PAGE_SIZES.length)]);
  }

  private Begun begin(Table table, Level level, int pageSize) {
    Text text = table.scan(oneIn(3));
    Begun begun = new Begun(journal().newScan(), table, text, level, journal().now(), pageSize);
    scan = begun;
    return begun;
  }

  private Answer page(Begun of) {
    Ask ask = Ask.of(of.text(), List.of()).at(Levels.of(of.level())).paged(of.pageSize(), next);
    return ask(
        ask, (call, answer) -> new Operation.Page(call, of.number(), rows(of.table(), answer)));
  }

  private static List<Row> rows(Table table, Answer answer) {
    return answer.rows().stream().map(row -> new Row(table.key(row), row.getLong("v"))).toList();
  }

  private void end(Begun ended, boolean whole) {
    Table table = ended.table();
    journal()
        .add(
            new Scan(
                ended.number(),
                ended.level(),
                table.firstKey(),
                table.lastKey(),
                ended.at(),
                journal().now(),
                whole));
    scan = null;
    next = null;
  }
}
