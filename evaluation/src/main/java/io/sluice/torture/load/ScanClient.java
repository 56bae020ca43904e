package io.sluice.torture.load;

import io.sluice.torture.check.Level;
import io.sluice.torture.check.Operation;
import io.sluice.torture.check.Operation.Row;
import io.sluice.torture.check.Scan;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client that scans whole tables, page by page, with a random session for each page. It requests
 * a failed page again. Not safe for several threads.
 */
final class ScanClient extends Client {
  private static final int[] PAGE_SIZES = {7, 40, 100, 250, 1_000};

  private @Nullable Progress scan;
  private @Nullable ByteBuffer next;

  /** A scan in progress. */
  private record Progress(
      long number, Table table, Text text, Level level, long at, int pageSize) {}

  ScanClient(int number, long seed, Sessions sessions, Journal journal) {
    super(number, seed, sessions, journal);
  }

  @Override
  boolean step() {
    Progress current = scan == null ? begin() : scan;
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

  /** Ends the scan in progress, without its other pages. */
  void finish() {
    if (scan != null) {
      end(scan, false);
    }
  }

  private Progress begin() {
    return begin(
        oneIn(2) ? Table.NARROW : Table.WIDE,
        oneIn(3) ? Level.ONE : Level.QUORUM,
        PAGE_SIZES[(int) below(PAGE_SIZES.length)]);
  }

  private Progress begin(Table table, Level level, int pageSize) {
    Text text = table.scan(oneIn(3));
    Progress begun =
        new Progress(journal().newScan(), table, text, level, journal().now(), pageSize);
    scan = begun;
    return begun;
  }

  private Answer page(Progress of) {
    Ask ask = Ask.of(of.text(), List.of()).at(Levels.of(of.level())).paged(of.pageSize(), next);
    return ask(
        ask, (call, answer) -> new Operation.Page(call, of.number(), rows(of.table(), answer)));
  }

  private static List<Row> rows(Table table, Answer answer) {
    return answer.rows().stream().map(row -> new Row(table.key(row), row.getLong("v"))).toList();
  }

  private void end(Progress ended, boolean whole) {
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
