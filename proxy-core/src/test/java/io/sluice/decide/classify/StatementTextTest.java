package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.TestPartitioner;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests texts without literals, and the digests of texts. */
class StatementTextTest {

  private static final int LONG = 1_000;

  private static long digest(String cql, @Nullable String keyspace) {
    return new Classifier()
        .classify(cql, keyspace, TestTables.CATALOG, TestPartitioner.BYTE_SUMS)
        .digest();
  }

  private static long digest(String cql) {
    return digest(cql, "ks");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT v FROM t WHERE k = 'secret'     | SELECT v FROM t WHERE k = ?",
        "SELECT  v\tFROM t WHERE k=-5;          | SELECT v FROM t WHERE k=?;",
        "select V from \"T\" where k = ?        | select V from \"T\" where k = ?",
        "SELECT v /* of 7 */ FROM t /* 8 */      | SELECT v FROM t",
        "SELECT v FROM t WHERE k IN (1, 2,3)    | SELECT v FROM t WHERE k IN (?, ...)",
        "SELECT v FROM t WHERE k IN (?,?)       | SELECT v FROM t WHERE k IN (?, ...)",
        "SELECT f(a, 1, b) FROM t LIMIT 10      | SELECT f(a, ?, b) FROM t LIMIT ?",
        "INSERT INTO t (a, b) VALUES (0xAB, 1s) | INSERT INTO t (a, b) VALUES (?, ...)",
        "UPDATE t SET a = $$s$$ WHERE k = :key  | UPDATE t SET a = ? WHERE k = :key",
        "CREATE ROLE r WITH PASSWORD = 'secret' | CREATE ROLE r WITH PASSWORD = ?",
        "SELECT v FROM t WHERE k = 'secret      | SELECT v FROM t WHERE k = ...",
      })
  void a_text_is_shown_without_literals(String cql, String shown) {
    assertThat(StatementText.shown(cql, LONG)).isEqualTo(shown);
  }

  @Test
  void a_long_text_is_cut() {
    String shown = StatementText.shown("SELECT " + "abc, ".repeat(LONG) + "d FROM t", 50);
    assertThat(shown).hasSize(50).startsWith("SELECT abc, abc").endsWith(" ...");
    assertThat(StatementText.shown("SELECT " + "a".repeat(LONG), 50)).hasSize(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM t WHERE k = ?",
        "select v from T where k=7",
        "SELECT v FROM t -- by me\n WHERE k= $$x$$",
        "SELECT v FROM t WHERE /* 1 */ k = 123e4567-e89b-12d3-a456-426614174000",
      })
  void texts_that_differ_only_in_literals_have_the_same_digest(String cql) {
    assertThat(digest(cql)).isEqualTo(digest("SELECT v FROM t WHERE k = 1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM u WHERE k = ?",
        "SELECT v, w FROM t WHERE k = ?",
        "SELECT v FROM \"T\" WHERE k = ?",
        "SELECT v FROM t WHERE k > ?",
        "SELECT v FROM t WHERE k IN (?)",
        "SELECT v FROM t WHERE k IN (?, ?)",
        "SELECT v FROM t WHERE k = ? LIMIT 1",
        "SELECT v FROM t",
        "this is no CQL",
        "this is none either",
        "CREATE TABLE a (k int PRIMARY KEY)",
        "CREATE TABLE a (k int PRIMARY KEY, v int)",
      })
  void other_texts_have_other_digests(String cql) {
    assertThat(digest(cql)).isNotEqualTo(digest("SELECT v FROM t WHERE k = ?"));
    assertThat(digest(cql)).isNotEqualTo(digest(cql + ", more"));
  }

  @Test
  void the_keyspace_of_the_session_counts_if_the_text_names_none() {
    assertThat(digest("SELECT v FROM t", "a")).isNotEqualTo(digest("SELECT v FROM t", "b"));
    assertThat(digest("SELECT v FROM ks.t", "a")).isEqualTo(digest("SELECT v FROM ks.t", "b"));
  }

  /** The parser reads some tokens more than once; each counts once. */
  @Test
  void a_valid_statement_has_the_digest_of_its_tokens() {
    CqlGenerator generator = new CqlGenerator(new Random(7));
    for (int i = 0; i < LONG; i++) {
      String cql = generator.print(generator.selectStatement());
      assertThat(digest(cql, null)).as(cql).isEqualTo(new Lexer(cql).digest());
    }
  }

  @Test
  void no_literal_is_shown_of_any_text() {
    Random random = new Random(7);
    String letters = "aZ_ 1.-'\"$?,:;()[]{}=<>+*/%x0e\n@é";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder cql = new StringBuilder();
      for (int n = random.nextInt(20); n > 0; n--) {
        cql.append(letters.charAt(random.nextInt(letters.length())));
      }
      String shown = StatementText.shown(cql.toString(), LONG);
      assertThat(literals(shown)).as("%s is shown as %s", cql, shown).isEqualTo(0);
    }
  }

  private static int literals(String shown) {
    int literals = 0;
    Lexer lexer = new Lexer(shown);
    for (; lexer.kind() != Lexeme.END && lexer.kind() != Lexeme.BAD; lexer.advance()) {
      LiteralRun run = LiteralRun.NONE.next(lexer.kind());
      literals += run == LiteralRun.LITERAL && lexer.kind() != Lexeme.QUESTION_MARK ? 1 : 0;
    }
    return literals;
  }
}
