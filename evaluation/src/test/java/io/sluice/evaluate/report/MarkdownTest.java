package io.sluice.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Markdown of a report, and its numbers as words. */
class MarkdownTest {
  private static String of(Block... blocks) {
    return Markdown.of(List.of(blocks), "charts");
  }

  @Test
  void blocks_are_divided_by_an_empty_line() {
    assertThat(
            of(
                new Block.Heading(2, "Findings"),
                new Block.Text("A paragraph."),
                new Block.Found(new Finding(Finding.Verdict.DOUBT, "A node ended.")),
                new Block.Bullets(List.of("one", "two")),
                new Block.Chart(new Charts.Drawn("reads: mean", "reads-mean"))))
        .isEqualTo(
            """
            ## Findings

            A paragraph.

            - A node ended.

            - one
            - two

            ![reads: mean](charts/reads-mean.png)
            """);
  }

  @Test
  void a_table_has_its_head_and_no_marks() {
    assertThat(
            of(
                new Block.Table(
                    List.of("load", "ratio"),
                    List.of(List.of("a|b", "!2.00"), List.of("c", "+0.500"), List.of("", "~1")))))
        .isEqualTo(
            """
            | load | ratio |
            |---|---|
            | a\\|b | 2.00 |
            | c | 0.500 |
            |  | 1 |
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; 0",
        "0.0004; 0.000",
        "0.05; 0.050",
        "1; 1.00",
        "9.994; 9.99",
        "10; 10.0",
        "100; 100",
        "1234567.4; 1,234,567",
        "-12.34; -12.3",
        "NaN; –"
      })
  void a_number_has_no_exponent(double value, String text) {
    assertThat(Words.number(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0.2, 80 % less",
    "0.994, 1 % less",
    "0.996, the same",
    "1.004, the same",
    "1.25, 25 % more",
    "1.99, 99 % more",
    "2, 2.00 times as much",
    "125, 125 times as much",
    "0, 0 in a round",
    "NaN, no ratio"
  })
  void a_ratio_is_a_change_in_words(double ratio, String words) {
    assertThat(Words.change(ratio)).isEqualTo(words);
  }
}
