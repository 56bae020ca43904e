package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@link Lexer}: where tokens begin and end, and which texts only look like others. */
class LexerTest {

  /** Returns the kinds of all tokens, up to the first invalid one. */
  private static String tokens(String text) {
    Lexer lexer = new Lexer(text.replace("\\n", "\n"));
    List<String> kinds = new ArrayList<>();
    for (; lexer.kind() != Lexeme.END && lexer.kind() != Lexeme.BAD; lexer.advance()) {
      kinds.add(lexer.kind().name());
    }
    if (lexer.kind() == Lexeme.BAD) {
      kinds.add("BAD");
    }
    return String.join(" ", kinds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # numbers
          1     | INTEGER
          -1    | INTEGER
          1.    | FLOAT
          1.5   | FLOAT
          .5    | DOT INTEGER
          1..2  | INTEGER RANGE INTEGER
          1e5   | FLOAT
          1E+5  | FLOAT
          1e-5  | FLOAT
          1e    | INTEGER WORD
          1e+   | INTEGER WORD PLUS
          1.5e  | FLOAT WORD
          1x    | INTEGER WORD
          0x    | HEX
          0xfg  | HEX WORD
          0XAB  | HEX
          0x1.5 | HEX DOT INTEGER
          -0x1  | INTEGER WORD
          1e5d  | FLOAT WORD
          1.5h  | FLOAT WORD
          1_a   | INTEGER BAD
          # words
          nan        | FLOAT
          -nan       | FLOAT
          NaNs       | WORD
          -NaNs      | MINUS WORD
          infinity   | FLOAT
          -Infinity  | FLOAT
          -infinityx | MINUS WORD
          true       | BOOLEAN
          trueish    | WORD
          _a         | BAD
          a_1        | WORD
          é          | BAD
          aé         | WORD BAD
          a-b        | WORD MINUS WORD
          a;b        | WORD SEMICOLON WORD
          # durations and words that begin like them
          1y                   | DURATION
          1mo                  | DURATION
          1m                   | DURATION
          1ms                  | DURATION
          1us                  | DURATION
          1ns                  | DURATION
          1µs                  | DURATION
          1w2d                 | DURATION
          1d1                  | DURATION INTEGER
          1h30                 | DURATION INTEGER
          1h 30m               | DURATION DURATION
          -1h                  | DURATION
          12345d               | DURATION
          1n                   | INTEGER WORD
          1u                   | INTEGER WORD
          1hx                  | DURATION WORD
          P                    | WORD
          P1Y                  | DURATION
          P1Y2M3DT4H5M6S       | DURATION
          PT1H                 | DURATION
          PT                   | WORD
          P1                   | WORD
          P1W                  | DURATION
          P1W2D                | WORD
          P2M1Y                | WORD
          P1DT                 | WORD
          P0001-02-03T04:05:06 | DURATION
          P0001-02-03          | WORD INTEGER INTEGER
          p1y                  | WORD
          P1Yx                 | WORD
          P1Y2                 | WORD
          -P1Y                 | DURATION
          - P1Y                | MINUS DURATION
          -PT5M                | DURATION
          # uuids have an exact form
          f81d4fae-7dec-11d0-a765-00a0c91e6bf6  | UUID
          F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6  | UUID
          f81d4fae-7dec-11d0-a765-00a0c91e6bf   | WORD DURATION WORD DURATION INTEGER MINUS WORD INTEGER WORD
          f81d4fae-7dec-11d0-a765-00a0c91e6bf67 | UUID INTEGER
          081d4fae-7dec-11d0-a765-00a0c91e6bf6  | UUID
          f81d4fae7dec                          | WORD
          g81d4fae-7dec-11d0-a765-00a0c91e6bf6  | WORD DURATION WORD DURATION INTEGER MINUS WORD INTEGER WORD
          # quoted texts end at their own quote
          'a'     | STRING
          'a''b'  | STRING
          ''      | STRING
          'a      | BAD
          "a"     | QUOTED_NAME
          ""      | QUOTED_NAME
          "a""b"  | QUOTED_NAME
          "a      | BAD
          $$a$$   | STRING
          $$a$b$$ | STRING
          $$$$    | STRING
          $$a     | BAD
          $a$     | BAD
          $       | BAD
          a$      | WORD BAD
          # comments are skipped and need their end
          a -- x\\nb  | WORD WORD
          a // x\\nb  | WORD WORD
          a /* x */ b | WORD WORD
          a /* x      | WORD BAD
          a/**/b      | WORD WORD
          a -- x      | WORD BAD
          a --        | WORD BAD
          a - - b     | WORD MINUS MINUS WORD
          a--b\\nc    | WORD WORD
          # symbols
          =       | EQ
          !=      | NEQ
          !       | BAD
          <>      | LT GT
          <=      | LTE
          >=      | GTE
          < =     | LT EQ
          +=      | PLUS_EQ
          +       | PLUS
          -=      | MINUS_EQ
          -       | MINUS
          *       | STAR
          /       | SLASH
          %       | PERCENT
          ..      | RANGE
          ...     | RANGE DOT
          .       | DOT
          @       | BAD
          ?:x     | QUESTION_MARK COLON WORD
          (),[]{} | OPEN_PAREN CLOSE_PAREN COMMA OPEN_BRACKET CLOSE_BRACKET OPEN_BRACE CLOSE_BRACE
          """)
  void a_text_is_split_into_tokens_up_to_the_first_invalid_one(String text, String tokens) {
    assertThat(tokens(text)).isEqualTo(tokens);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'a''b'      | a'b
          ''''        | '
          'a"b'       | a"b
          $$a'b$$     | a'b
          $$a''b$$    | a''b
          1.50        | 1.50
          -nan        | NaN
          INFINITY    | Infinity
          -infinity   | -Infinity
          True        | True
          -007        | -007
          0xAb        | 0xAb
          """)
  void a_literal_is_its_content(String text, String literal) {
    assertThat(new Lexer(text).literal()).isEqualTo(literal);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Abc_1       | abc_1
          abc         | abc
          "Abc"       | Abc
          "a"&b"      | a
          "a""b"      | a"b
          SELECT      | select
          """)
  void a_name_is_folded_unless_it_is_quoted(String text, String name) {
    assertThat(new Lexer(text).name()).isEqualTo(name);
  }

  @Test
  void a_token_that_is_read_again_is_the_same() {
    Lexer lexer = new Lexer("a 'b' c");
    lexer.advance();
    int start = lexer.start();
    int before = lexer.previousEnd();
    String literal = lexer.literal();
    lexer.advance();
    lexer.advance();
    lexer.rewind(start, before);
    assertThat(lexer.kind()).isEqualTo(Lexeme.STRING);
    assertThat(lexer.literal()).isEqualTo(literal);
    assertThat(lexer.previousEnd()).isEqualTo(before);
    assertThat(lexer.span()).isEqualTo(new Span(2, 5));
  }

  @Test
  void the_end_stays_the_end() {
    Lexer lexer = new Lexer("a ");
    lexer.advance();
    lexer.advance();
    assertThat(lexer.kind()).isEqualTo(Lexeme.END);
    assertThat(lexer.start()).isEqualTo(2);
    assertThat(new Lexer("").kind()).isEqualTo(Lexeme.END);
  }

  @Test
  void tokens_beyond_the_limit_are_not_read() {
    Lexer lexer = new Lexer("a ".repeat(Lexer.MAX_TOKENS + 1));
    for (int i = 1; i < Lexer.MAX_TOKENS; i++) {
      lexer.advance();
    }
    assertThat(lexer.kind()).isEqualTo(Lexeme.WORD);
    assertThat(lexer.tokens()).isEqualTo(Lexer.MAX_TOKENS);
    lexer.advance();
    assertThat(lexer.kind()).isEqualTo(Lexeme.BAD);
  }

  @Test
  void a_new_statement_has_the_whole_limit() {
    Lexer lexer = new Lexer("a ".repeat(Lexer.MAX_TOKENS + 1));
    for (int i = 1; i < Lexer.MAX_TOKENS; i++) {
      lexer.advance();
    }
    lexer.beginStatement();
    lexer.advance();
    assertThat(lexer.kind()).isEqualTo(Lexeme.WORD);
    assertThat(lexer.tokens()).isEqualTo(1);
  }
}
