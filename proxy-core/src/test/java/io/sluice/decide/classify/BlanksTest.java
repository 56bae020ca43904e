package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the blanks and comments that are skipped between tokens. */
class BlanksTest {

  private static String rest(String text) {
    int after = Blanks.skip(text, 0);
    return after < 0 ? "no end" : text.substring(after);
  }

  @Test
  void blanks_and_comments_are_skipped_in_any_order() {
    assertThat(rest("a")).isEqualTo("a");
    assertThat(rest(" \t\r\n a ")).isEqualTo("a ");
    assertThat(rest("-- x\n// y\r/* z\n */ a")).isEqualTo("a");
    assertThat(rest("/**/a")).isEqualTo("a");
    assertThat(rest("   ")).isEmpty();
    assertThat(Blanks.skip("a  b", 1)).isEqualTo(3);
  }

  @Test
  void a_comment_without_an_end_has_nothing_after_it() {
    assertThat(rest("-- a")).isEqualTo("no end");
    assertThat(rest(" // a")).isEqualTo("no end");
    assertThat(rest("/* a *")).isEqualTo("no end");
    assertThat(rest("/*/ a")).isEqualTo("no end");
  }

  @Test
  void one_minus_or_slash_is_no_comment() {
    assertThat(rest(" - a\n")).isEqualTo("- a\n");
    assertThat(rest("/ a")).isEqualTo("/ a");
    assertThat(rest("-/ a\n")).isEqualTo("-/ a\n");
    assertThat(rest("-")).isEqualTo("-");
  }
}
