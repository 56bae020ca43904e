package io.sluice.server;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The keys of {@code top} on a terminal: which table is shown, by what it is sorted, which request
 * is to be ended. Pure; not safe for several threads.
 */
final class TopMenu {

  private static final int ESCAPE = 27;
  private static final int CTRL_C = 3;
  private static final int DELETE = 127;
  private static final int BACKSPACE = 8;

  /** Digits of the largest id. */
  private static final int MOST_DIGITS = 18;

  /** What is left to do after a key. */
  sealed interface Action {

    /** The page is read again. */
    record Show() implements Action {}

    /** The last line has changed at most. */
    record Type() implements Action {}

    /** The request with this id is to be ended. */
    record Kill(long id) implements Action {}

    /** The page is left. */
    record Quit() implements Action {}
  }

  private TopTable table;
  private @Nullable String sort;

  /** The id that is being typed; null while none is. */
  private @Nullable StringBuilder id;

  private String told = "";

  /**
   * Begins with a table.
   *
   * @param sort one of its columns; null for its usual one
   */
  TopMenu(TopTable table, @Nullable String sort) {
    this.table = table;
    this.sort = sort;
  }

  /** A key was typed. */
  Action typed(int key) {
    told = "";
    if (key == CTRL_C) {
      return new Action.Quit();
    }
    StringBuilder typing = id;
    return typing == null ? command(key) : typed(key, typing);
  }

  private Action command(int key) {
    return switch (key) {
      case 'q' -> new Action.Quit();
      case 'r' -> show(TopTable.REQUESTS);
      case 's' -> show(TopTable.STATEMENTS);
      case '<' -> sortBy(-1);
      case '>' -> sortBy(1);
      case 'k' -> {
        id = new StringBuilder();
        yield new Action.Type();
      }
      default -> new Action.Type();
    };
  }

  private Action typed(int key, StringBuilder typing) {
    if (key >= '0' && key <= '9' && typing.length() < MOST_DIGITS) {
      typing.append((char) key);
    } else if ((key == DELETE || key == BACKSPACE) && !typing.isEmpty()) {
      typing.setLength(typing.length() - 1);
    } else if (key == ESCAPE) {
      id = null;
    } else if (key == '\r' || key == '\n') {
      id = null;
      return typing.isEmpty()
          ? new Action.Type()
          : new Action.Kill(Long.parseLong(typing.toString()));
    }
    return new Action.Type();
  }

  private Action show(TopTable next) {
    table = next;
    sort = null;
    return new Action.Show();
  }

  private Action sortBy(int step) {
    List<String> columns = table.columns();
    sort = columns.get(Math.floorMod(columns.indexOf(sorted()) + step, columns.size()));
    return new Action.Show();
  }

  private String sorted() {
    return sort == null ? table.usualSort() : sort;
  }

  /** The SELECT of the table that is shown. */
  String select(int rows) {
    return table.select(sort, rows);
  }

  /** Shows a message until the next key. */
  void tell(String message) {
    told = message;
  }

  /** The last line of the page. */
  String line() {
    if (id != null) {
      return "End the request with the ID (Enter ends it, Esc does not): " + id;
    }
    String keys =
        "q quit  r requests  s statements  k kill  < > sort by another column, now "
            + sorted().replace('_', ' ').toUpperCase(Locale.ROOT);
    return told.isEmpty() ? keys : told;
  }
}
