package io.sluice.server.tool;

import io.sluice.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * A page that fills a terminal and refreshes periodically. It is cut to the terminal's size.
 * Restores the terminal at the end.
 */
final class TopScreen {

  /** The content of the page. May throw exceptions of the proxy's answers. */
  interface Source {

    /** Reads the page. */
    List<String> page(TopMenu menu);

    /** Ends a request. Returns a sentence about the result. */
    String kill(long id);
  }

  private final Terminal terminal;
  private final Source source;
  private final TopMenu menu;
  private final NanoClock clock;
  private final Display display;
  private List<String> page = List.of();

  TopScreen(Terminal terminal, Source source, TopMenu menu, NanoClock clock) {
    this.terminal = terminal;
    this.source = source;
    this.menu = menu;
    this.clock = clock;
    this.display = new Display(terminal, true);
  }

  /** Shows the page until the user leaves it. */
  void run(Duration interval) throws IOException {
    Attributes before = terminal.enterRawMode();
    // Ctrl-C is a key that leaves the page: a signal would end the JVM before it restores anything.
    Attributes raw = terminal.getAttributes();
    raw.setLocalFlag(LocalFlag.ISIG, false);
    terminal.setAttributes(raw);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    try {
      show(interval);
    } finally {
      terminal.puts(Capability.exit_ca_mode);
      terminal.puts(Capability.cursor_normal);
      terminal.flush();
      terminal.setAttributes(before);
    }
  }

  private void show(Duration interval) throws IOException {
    NonBlockingReader keys = terminal.reader();
    long due = clock.nanoTime();
    while (true) {
      long left = due - clock.nanoTime();
      if (left <= 0) {
        read();
        due = clock.nanoTime() + interval.toNanos();
      }
      draw();
      int key = keys.read(Math.max(1, TimeUnit.NANOSECONDS.toMillis(due - clock.nanoTime())));
      if (key == NonBlockingReader.READ_EXPIRED) {
        continue;
      }
      TopMenu.Action action = key < 0 ? new TopMenu.Action.Quit() : menu.typed(key);
      if (action instanceof TopMenu.Action.Quit) {
        return;
      } else if (action instanceof TopMenu.Action.Kill kill) {
        kill(kill.id());
      } else if (action instanceof TopMenu.Action.Show) {
        due = clock.nanoTime();
      }
    }
  }

  private void kill(long id) {
    try {
      menu.showNotice(source.kill(id));
    } catch (RuntimeException e) {
      menu.showNotice(String.valueOf(e.getMessage()));
    }
  }

  /** Reads the page. On failure, the last page stays on the screen, with the reason below. */
  private void read() {
    try {
      page = source.page(menu);
    } catch (RuntimeException e) {
      menu.showNotice("Refresh failed: " + e.getMessage());
    }
  }

  private void draw() {
    Size size = terminal.getSize();
    display.resize(size.getRows(), size.getColumns());
    display.update(cut(size.getRows(), size.getColumns()), 0);
  }

  private List<AttributedString> cut(int rows, int columns) {
    List<AttributedString> lines = new ArrayList<>();
    for (String line : page.subList(0, Math.min(page.size(), Math.max(0, rows - 2)))) {
      AttributedStyle style =
          isHead(line) ? AttributedStyle.DEFAULT.inverse() : AttributedStyle.DEFAULT;
      lines.add(new AttributedString(line, style).columnSubSequence(0, columns));
    }
    while (lines.size() < rows - 1) {
      lines.add(AttributedString.EMPTY);
    }
    lines.add(
        new AttributedString(menu.line(), AttributedStyle.DEFAULT.bold())
            .columnSubSequence(0, columns));
    return lines;
  }

  /** Whether the line is the head of a table, which is in capitals. */
  private static boolean isHead(String line) {
    return !line.isBlank() && line.chars().noneMatch(Character::isLowerCase);
  }
}
