package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.TestPartitioner;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.cassandra.cql3.CQLStatement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the classifier understands every statement as Cassandra's own parser does. */
class OracleTest {
  private static final int STATEMENTS = Integer.getInteger("sluice.oracle.statements", 6_000);
  private static final long SEED = Long.getLong("sluice.oracle.seed", 20261121L);

  private final Classifier classifier = new Classifier();
  private final Random random = new Random(SEED);
  private final CqlGenerator generator = new CqlGenerator(random);

  private Classified classify(String cql) {
    return classifier.classify(cql, "ks", TestTables.CATALOG, TestPartitioner.BYTE_SUMS);
  }

  @Test
  void generated_statements_are_understood_as_by_cassandra() {
    Tally tally = new Tally();
    for (int i = 0; i < STATEMENTS; i++) {
      tally.compare(generator.print(generator.statement()));
    }
    tally.verify("generated", 0.02);
    assertThat(tally.accepted).as("accepted by the oracle").isGreaterThan(STATEMENTS / 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";",
        ";;",
        " -- x",
        " -- x\n",
        " -- x\r",
        "-- x\n-- y",
        " // x",
        " // x\n",
        "--",
        "//",
        " /* x */",
        " /* x",
        "/**/",
        ";-- x",
        "; -- x\n",
        " /* -- */",
        " -- /* x */",
        "-- */\n"
      })
  void an_ending_that_cassandra_refuses_is_not_understood(String end) {
    String cql = "SELECT * FROM t WHERE k = 1" + end;
    assertThat(classify(cql).shape() == StatementShape.UNKNOWN_SELECT)
        .isEqualTo(CassandraOracle.parse(cql) == null);
  }

  @Test
  void mutated_statements_are_understood_as_by_cassandra_if_it_accepts_them() {
    Tally tally = new Tally();
    for (int i = 0; i < STATEMENTS; i++) {
      List<String> tokens = new ArrayList<>(generator.statement());
      mutate(tokens);
      String cql = generator.print(tokens);
      tally.compare(
          random.nextInt(10) == 0 ? cql.substring(0, random.nextInt(cql.length() + 1)) : cql);
    }
    tally.verify("mutated", 0.1);
    assertThat(tally.accepted).as("accepted by the oracle").isGreaterThan(STATEMENTS / 20);
  }

  private void mutate(List<String> tokens) {
    int at = random.nextInt(tokens.size());
    int other = random.nextInt(tokens.size());
    switch (random.nextInt(4)) {
      case 0 -> tokens.remove(at);
      case 1 -> tokens.add(at, tokens.get(at));
      case 2 -> tokens.add(at, tokens.get(other));
      default -> tokens.set(at, tokens.set(other, tokens.get(at)));
    }
    if (tokens.isEmpty()) {
      tokens.add(";");
    }
  }

  /** Counts verdicts and keeps the first differences to show. */
  private final class Tally {
    private int accepted;
    private int understood;
    private int notUnderstood;
    private final Set<String> unknown = new LinkedHashSet<>();
    private final List<String> different = new ArrayList<>();

    void compare(String cql) {
      Classified verdict = classify(cql);
      CQLStatement.Raw raw = CassandraOracle.parse(cql);
      if (raw == null) {
        return;
      }
      accepted++;
      String expected = CassandraOracle.summary(raw, "ks");
      String actual = Summary.of(verdict);
      if (actual.equals(expected)) {
        understood++;
      } else if (actual.equals("OTHER") || actual.startsWith("UNKNOWN_")) {
        notUnderstood++;
        unknown.add(cql.replace("\n", "\\n").replace("\r", "\\r"));
      } else {
        different.add(cql + "\n   Cassandra: " + expected + "\n   Sluice:    " + actual);
      }
    }

    void verify(String corpus, double mostNotUnderstood) {
      String figures =
          "%s, seed %d: %d accepted by Cassandra, %d equal, %d not understood, %d different"
              .formatted(corpus, SEED, accepted, understood, notUnderstood, different.size());
      assertThat(different.stream().limit(20)).as(figures).isEmpty();
      assertThat(notUnderstood)
          .as("%s, for example %s", figures, unknown.stream().limit(20).toList())
          .isLessThanOrEqualTo((int) Math.ceil(accepted * mostNotUnderstood));
    }
  }
}
