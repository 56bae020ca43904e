package io.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Tests tables and progress on a terminal. */
class TextTableTest {
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  private List<String> lines() {
    out.flush();
    return text.toString().lines().toList();
  }

  @Test
  void the_first_column_is_left_aligned_and_the_others_are_right_aligned() {
    TextTable table = new TextTable("name", "value");
    table.add("a", "1");
    table.add("longer", "12345678");

    table.print(out);

    assertThat(lines()).containsExactly("name       value", "a              1", "longer  12345678");
  }

  @Test
  void a_table_without_lines_has_headings() {
    new TextTable("a", "b").print(out);

    assertThat(lines()).containsExactly("a  b");
  }

  @Test
  void no_line_ends_with_blanks() {
    TextTable table = new TextTable("wide heading");
    table.add("x");

    table.print(out);

    assertThat(lines()).containsExactly("wide heading", "x");
  }

  @Test
  void a_line_with_too_few_or_too_many_cells_is_refused() {
    TextTable table = new TextTable("a", "b");

    assertThatIllegalArgumentException().isThrownBy(() -> table.add("1"));
    assertThatIllegalArgumentException().isThrownBy(() -> table.add("1", "2", "3"));
  }

  @Test
  void numbers_have_fixed_digits_and_a_thousands_separator_in_any_locale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(TextTable.number(1234.567, 2)).isEqualTo("1,234.57");
      assertThat(TextTable.number(0.5, 0)).isEqualTo("1");
      assertThat(TextTable.number(-0.25, 1)).isEqualTo("-0.3");
      assertThat(TextTable.number(Double.NaN, 1)).isEqualTo("NaN");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void on_a_plain_stream_progress_is_a_line_for_each_tenth() {
    Progress progress = new Progress(out, false);
    for (int i = 0; i <= 100; i++) {
      progress.show("work", i / 100.0);
    }
    progress.done();

    assertThat(lines()).hasSize(11).startsWith("work 0 %", "work 10 %").endsWith("work 100 %");
  }

  @Test
  void on_a_terminal_progress_overwrites_its_line_and_erases_it() {
    Progress progress = new Progress(out, true);
    progress.show("work", 0.25);
    progress.show("work", 0.2501);
    progress.done();
    out.flush();

    String line = "\r" + "work" + " ".repeat(57) + " 25 %";
    assertThat(text).hasToString(line + "\r" + " ".repeat(66) + "\r");
  }

  @Test
  void progress_that_was_not_shown_is_not_erased() {
    new Progress(out, true).done();
    out.flush();

    assertThat(text.toString()).isEmpty();
  }
}
