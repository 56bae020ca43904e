package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@link Keyword}: the words of the grammar, and those that may be names as well. */
class KeywordTest {

  private static @Nullable Keyword of(String word) {
    return new Lexer(word).keyword();
  }

  private static String lower(Keyword keyword) {
    return keyword.name().toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @EnumSource
  void a_keyword_is_known_in_any_case_but_not_in_quotes(Keyword keyword) {
    String lower = lower(keyword);
    assertThat(of(lower)).isEqualTo(keyword);
    assertThat(of(keyword.name())).isEqualTo(keyword);
    assertThat(of(keyword.name().charAt(0) + lower.substring(1))).isEqualTo(keyword);
    assertThat(of("\"" + lower + "\"")).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void a_longer_or_a_shorter_word_is_another(Keyword keyword) {
    String lower = lower(keyword);
    assertThat(of(lower + "_")).isNull();
    assertThat(of(lower + "0")).isNull();
    assertThat(of("x" + lower)).isNull();
    assertThat(of(lower.substring(1))).isNotEqualTo(keyword);
    assertThat(of(lower.substring(0, lower.length() - 1))).isNotEqualTo(keyword);
  }

  /** A name that Cassandra takes for a keyword would be the name of another column to us. */
  @ParameterizedTest
  @EnumSource
  void a_word_is_a_name_exactly_where_cassandra_takes_it_for_one(Keyword keyword) {
    String word = lower(keyword);
    boolean taken = CassandraOracle.parse("DROP TABLE " + word) != null;
    assertThat(taken).isEqualTo(!keyword.reserved());
    assertThat(new Cursor(word).atName()).isEqualTo(taken);
    assertThat(new Cursor("\"" + word + "\"").atName()).isTrue();
  }

  /** Bits of a character are dropped when its case is folded. */
  @ParameterizedTest
  @ValueSource(strings = {"abc", "selec4", "se1ect", "fr0m", "b_", "K3y", "ordeR_", "t0"})
  void a_word_with_a_digit_or_an_underscore_is_no_keyword(String word) {
    assertThat(of(word)).isNull();
  }

  /** The characters u and s differ from w and 5 by 2 and 62, which is 2 times 31. */
  @Test
  void a_word_with_the_hash_of_a_keyword_is_another() {
    assertThat(Keyword.hash(Keyword.hash(0, 'w'), '5'))
        .isEqualTo(Keyword.hash(Keyword.hash(0, 'u'), 's'));
    assertThat(of("w5e")).isNull();
    assertThat(of("w5ing")).isNull();
  }
}
