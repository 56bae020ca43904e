package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.TestPartitioner;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.CqlLexer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each word of Cassandra's lexer is a name wherever Cassandra's parser accepts it. */
class UnreservedWordsTest {

  private static final List<String> WORDS =
      Arrays.stream(CqlLexer.class.getFields())
          .map(Field::getName)
          .filter(name -> name.startsWith("K_"))
          .map(name -> name.substring(2).toLowerCase(Locale.ROOT))
          .toList();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT W FROM t",
        "SELECT W AS W, b FROM t",
        "SELECT W.f, b.W, W[1] FROM t",
        "SELECT W(a), ks.W(b), W.f(c), f(W, W) FROM t",
        "SELECT CAST(W AS int), CAST(a AS W), (W, a), [W], {W: a} FROM t",
        "SELECT JSON W FROM t",
        "SELECT JSON W AS W FROM t",
        "SELECT JSON W AS as FROM t",
        "SELECT JSON W AS as, b FROM t",
        "SELECT DISTINCT W AS W FROM t",
        "SELECT JSON DISTINCT W, a FROM t",
        "SELECT json AS W, a FROM t",
        "SELECT distinct AS W FROM t",
        "SELECT JSON distinct AS W FROM t",
        "SELECT JSON AS AS W FROM t",
        "SELECT JSON as.W FROM t",
        "SELECT * FROM W LIMIT 1",
        "SELECT * FROM W.t ALLOW FILTERING",
        "SELECT * FROM ks.W GROUP BY W",
        "SELECT * FROM W PER PARTITION LIMIT 1",
        "SELECT * FROM W ORDER BY W DESC",
        "SELECT * FROM t WHERE W = 1 AND W IN (1) AND W > :W",
        "SELECT * FROM t WHERE W CONTAINS KEY 1 AND W[1] = 2",
        "SELECT * FROM t WHERE (W) IN ((1)) AND (W, a) > (1, 2)",
        "SELECT * FROM t WHERE token(W, a) > token(1, 2)",
        "SELECT * FROM t WHERE a = W(1) AND b = (W) 1",
        "SELECT * FROM t ORDER BY W ANN OF [1]",
        "INSERT INTO W (W) VALUES (1)",
        "INSERT INTO W.W (a, W) VALUES (:W, {W: 1})",
        "INSERT INTO W JSON '{}' IF NOT EXISTS",
        "UPDATE W SET W = 1 WHERE W = 1",
        "UPDATE W USING TTL 1 SET W += 1, W[1] = 2, W.f = 3 WHERE b = 1",
        "UPDATE t SET a = 1 WHERE b = 1 IF W = 1",
        "UPDATE t SET a = 1 WHERE b = 1 IF W IN (1)",
        "UPDATE t SET a = 1 WHERE b = 1 IF W[1] = 1 AND W.f = 2",
        "DELETE W, W[1], W.f FROM t WHERE b = 1",
        "DELETE FROM W USING TIMESTAMP 1 WHERE W = 1",
        "BEGIN BATCH DELETE FROM W WHERE b = 1 IF W = 2; APPLY BATCH",
        "TRUNCATE W",
        "USE W",
        "DROP TABLE W.W",
        "CREATE TABLE IF NOT EXISTS W (a int PRIMARY KEY)",
        "CREATE INDEX W ON W (a)",
        "CREATE TRIGGER W ON W.W USING 'x'",
        "ALTER TABLE W RENAME W TO W",
        "DESCRIBE TABLE W",
      })
  void a_word_that_cassandra_takes_for_a_name_is_one(String form) {
    assertThat(WORDS).hasSizeGreaterThan(100);
    int names = 0;
    for (String word : WORDS) {
      String cql = form.replaceAll("\\bW\\b", word);
      CQLStatement.Raw raw = CassandraOracle.parse(cql);
      if (raw != null) {
        names++;
        Classified verdict =
            new Classifier().classify(cql, "ks", TestTables.CATALOG, TestPartitioner.BYTE_SUMS);
        assertThat(Summary.of(verdict)).as(cql).isEqualTo(CassandraOracle.summary(raw, "ks"));
      }
    }
    assertThat(names).as("words that are names in %s", form).isPositive();
  }
}
