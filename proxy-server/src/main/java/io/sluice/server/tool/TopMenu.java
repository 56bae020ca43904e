package io.sluice.server.tool;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The keyboard state of {@code top} on a terminal: which table is shown, how it is sorted, and
 * which request is to be ended. Not safe for several threads.
 */
final class TopMenu {

  private static final int ESCAPE = 27;
  private static final int CTRL_C = 3;
  private static final int DELETE = 127;
  private static final int BACKSPACE = 8;

  /** Maximum number of digits of an id. */
  private static final int MAX_DIGITS = 18;

  /** The action that a key causes. */
  sealed interface Action {

    /** Read the page again. */
    record Show() implements Action {}

    /** Redraw at most the last line. */
    record Type() implements Action {}

    /** End the request with this id. */
    record Kill(long id) implements Action {}

    /** Leave the page. */
    record Quit() implements Action {}
  }

  private TopTable table;
  private @Nullable String sort;

  /** The id that is being typed; null if none. */
  private @Nullable StringBuilder id;

  private String notice = "";

  /**
   * Starts with a table.
   *
   * @param sort one of its columns; null for the default
   */
  TopMenu(TopTable table, @Nullable String sort) {
    this.table = table;
    this.sort = sort;
  }

  /** Handles a typed key. */
  Action typed(int key) {
    notice = "";
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
    if (key >= '0' && key <= '9' && typing.length() < MAX_DIGITS) {
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
    return sort == null ? table.defaultSort() : sort;
  }

  /** Returns the SELECT for the shown table. */
  String select(int rows) {
    return table.select(sort, rows);
  }

  /** Shows a message until the next key. */
  void showNotice(String message) {
    notice = message;
  }

  /** Returns the last line of the page. */
  String line() {
    if (id != null) {
      return "End the request with the ID (Enter: end it, Esc: cancel): " + id;
    }
    String keys =
        "q quit  r requests  s statements  k kill  < > change sort column, now "
            + sorted().replace('_', ' ').toUpperCase(Locale.ROOT);
    return notice.isEmpty() ? keys : notice;
  }
}
