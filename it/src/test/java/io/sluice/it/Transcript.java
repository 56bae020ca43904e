package io.sluice.it;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The results of a script, line by line, without the parts that may differ between targets. */
final class Transcript {
  private final Target target;
  private final List<String> lines = new ArrayList<>();

  Transcript(Target target) {
    this.target = target;
  }

  /** Adds one line. */
  void say(String what, @Nullable Object seen) {
    lines.add(target.normalise(what + ": " + seen));
  }

  /** Adds the result of the action, or the class and message of its exception. */
  void attempt(String what, Callable<?> action) {
    try {
      Object answer = action.call();
      if (answer instanceof ResultSet rows) {
        show(what, rows);
      } else {
        say(what, answer);
      }
    } catch (Exception e) {
      say(what, e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /**
   * Adds columns with their types, all rows, warnings, payload, and whether the statement was
   * applied.
   */
  void show(String what, ResultSet result) {
    say(what + " columns", describe(result.getColumnDefinitions()));
    List<String> rows = new ArrayList<>();
    boolean applied = result.wasApplied();
    result.forEach(row -> rows.add(row.getFormattedContents()));
    say(what + " rows", rows);
    say(what + " applied", applied);
    say(what + " warnings", result.getExecutionInfo().getWarnings());
    say(what + " payload", result.getExecutionInfo().getIncomingPayload().keySet());
  }

  /** Adds one page. */
  void showPage(String what, AsyncResultSet page) {
    List<String> rows = new ArrayList<>();
    for (Row row : page.currentPage()) {
      rows.add(row.getFormattedContents());
    }
    say(what, rows.size() + " rows, more: " + page.hasMorePages() + " " + rows);
  }

  static String describe(ColumnDefinitions columns) {
    List<String> described = new ArrayList<>();
    columns.forEach(
        c ->
            described.add(
                c.getKeyspace() + "." + c.getTable() + "." + c.getName() + " " + c.getType()));
    return described.toString();
  }

  /** Returns all lines so far. */
  List<String> lines() {
    return List.copyOf(lines);
  }
}
