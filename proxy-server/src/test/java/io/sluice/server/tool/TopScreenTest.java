package io.sluice.server.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The page of {@code top} on a terminal of 24 columns and 5 lines. All keys are typed before it
 * starts.
 */
class TopScreenTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final int COLUMNS = 24;
  private static final int ROWS = 5;

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final List<Long> killed = new ArrayList<>();
  private final List<String> read = new ArrayList<>();

  /** Whether the terminal turns Ctrl-C into a signal, at each reading of the page. */
  private final List<Boolean> signals = new ArrayList<>();

  private @Nullable LineDisciplineTerminal open;
  private List<String> page = List.of("NODE  STATE", "n1  normal");

  private final TopScreen.Source source =
      new TopScreen.Source() {
        @Override
        public List<String> page(TopMenu menu) {
          read.add(menu.select(1));
          signals.add(Objects.requireNonNull(open).getAttributes().getLocalFlag(LocalFlag.ISIG));
          if (page.isEmpty()) {
            throw new IllegalStateException("no node");
          }
          return page;
        }

        @Override
        public String kill(long id) {
          killed.add(id);
          return "Request " + id + " was ended";
        }
      };

  /** Types the keys, and q. Returns the lines on the terminal then. */
  private List<String> screen(String keys) throws IOException {
    try (LineDisciplineTerminal terminal =
        new LineDisciplineTerminal("top", "ansi", shown, StandardCharsets.UTF_8)) {
      open = terminal;
      terminal.setSize(new Size(COLUMNS, ROWS));
      Attributes before = terminal.getAttributes();
      TopScreen screen =
          new TopScreen(terminal, source, new TopMenu(TopTable.REQUESTS, null), () -> 0);
      terminal.enterRawMode();
      terminal.processInputBytes((keys + "q").getBytes(StandardCharsets.UTF_8));
      terminal.setAttributes(before);
      screen.run(LONG);
      assertThat(terminal.getAttributes().getLocalFlags()).isEqualTo(before.getLocalFlags());
    }
    return AnsiScreen.lines(shown.toString(StandardCharsets.UTF_8), ROWS, COLUMNS);
  }

  @Test
  void a_line_that_is_wider_than_the_terminal_is_cut() throws IOException {
    page = List.of("a text of thirty-four characters..");
    assertThat(screen("")).first().isEqualTo("a text of thirty-four ch");
  }

  @Test
  void lines_that_the_terminal_has_no_room_for_are_left_out() throws IOException {
    page = List.of("one", "two", "three", "four", "five");
    assertThat(screen("")).startsWith("one", "two", "three", "").last().asString().contains("q");
  }

  @Test
  void a_request_is_ended_by_its_id() throws IOException {
    assertThat(screen("k42\r")).last().isEqualTo("Request 42 was ended");
    assertThat(killed).containsExactly(42L);
  }

  @Test
  void another_table_is_read_at_once() throws IOException {
    screen("s");
    assertThat(read).hasSize(2);
    assertThat(read.get(1)).contains("FROM system_proxy.statements");
  }

  /** A signal would end the process before it restores the terminal. */
  @Test
  void ctrl_c_is_a_key_that_leaves_the_page() throws IOException {
    screen("");
    assertThat(signals).isEqualTo(List.of(false));
  }

  @Test
  void a_page_that_cannot_be_read_ends_nothing() throws IOException {
    page = List.of();
    assertThat(screen("")).last().isEqualTo("Refresh failed: no node");
  }
}
