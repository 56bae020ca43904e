package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the end and the content of quoted texts. */
class QuotedTextTest {

  private static String content(String text) {
    int end = text.charAt(0) == '$' ? QuotedText.endOfDollars(text, 0) : QuotedText.end(text, 0);
    return end < 0 ? "no end" : QuotedText.content(text, 0, end);
  }

  @Test
  void a_doubled_quote_is_one_quote_of_the_content() {
    assertThat(content("'a' b")).isEqualTo("a");
    assertThat(content("''")).isEmpty();
    assertThat(content("''''")).isEqualTo("'");
    assertThat(content("'it''s' ''")).isEqualTo("it's");
    assertThat(content("\"a\"\"b\"")).isEqualTo("a\"b");
  }

  @Test
  void the_other_quote_is_a_character_like_any_other() {
    assertThat(content("'a\"\"b'")).isEqualTo("a\"\"b");
    assertThat(content("\"a''b\"")).isEqualTo("a''b");
  }

  @Test
  void between_dollars_nothing_is_doubled() {
    assertThat(content("$$a''b$c$$ d")).isEqualTo("a''b$c");
    assertThat(content("$$$$")).isEmpty();
  }

  @Test
  void a_text_may_have_no_end() {
    assertThat(content("'a")).isEqualTo("no end");
    assertThat(content("'a''")).isEqualTo("no end");
    assertThat(content("\"")).isEqualTo("no end");
    assertThat(content("$$a$")).isEqualTo("no end");
    assertThat(content("$a$$")).as("one dollar does not begin it").isEqualTo("no end");
  }
}
