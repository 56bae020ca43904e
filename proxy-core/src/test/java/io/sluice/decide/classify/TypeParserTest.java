package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the types that are read, and the types in parentheses that are hints. */
class TypeParserTest {

  /** Returns the type of the hint that a text begins with, and the next token after it. */
  private static String hint(String text) {
    Cursor cursor = new Cursor(text);
    Span type = new TypeParser(cursor).hint();
    return (type == null ? "none" : type.of(text)) + " before " + cursor.lexer().span().of(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int",
        "\"T\"",
        "MAP<text, frozen<list<int>>>",
        "vector<float, 3>",
        "ks.address",
        "set<\"T\">",
        "tuple<int, text, 'org.x.Type'>"
      })
  void a_type_may_have_arguments_a_keyspace_or_a_class(String type) {
    String text = type + " a";
    Cursor cursor = new Cursor(text);
    assertThat(new TypeParser(cursor).type().of(text)).isEqualTo(type);
    assertThat(cursor.lexer().name()).isEqualTo("a");
    assertThat(hint("(" + type + ") ?")).isEqualTo(type + " before ?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"set", "list<", "list<>", "list<int", "map<int,>", "a.", "a.select", "1"})
  void anything_else_is_no_type_and_no_hint(String text) {
    assertThatThrownBy(new TypeParser(new Cursor(text))::type).isInstanceOf(NotUnderstood.class);
    assertThat(hint("(" + text + ") ?")).isEqualTo("none before (");
  }

  @Test
  void a_hint_is_followed_by_a_term() {
    for (String term : new String[] {"1", "-1", "'a'", "(", "[", "{", ":", "null", "token", "a"}) {
      assertThat(hint("(int) " + term)).isEqualTo("int before " + term);
    }
    for (String other : new String[] {"", "- 1", "+", ",", ")", "AS a", "PER", "GROUP", "FROM"}) {
      assertThat(hint("(int) " + other)).isEqualTo("none before (");
    }
  }

  /** Otherwise a span would begin after the parenthesis. */
  @Test
  void a_text_that_is_no_hint_is_left_as_it_was() {
    String text = "a (b, c)";
    Cursor cursor = new Cursor(text);
    cursor.name();
    assertThat(new TypeParser(cursor).hint()).isNull();
    assertThat(cursor.since(0)).isEqualTo(new Span(0, 1));
    assertThat(cursor.at(Lexeme.OPEN_PAREN)).isTrue();
  }
}
