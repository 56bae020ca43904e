package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.Choices;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.cql3.CQLStatement;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz test of arbitrary texts and of generated statements that the fuzzer changes. The
 * classifier never throws or returns a span outside the text. Cassandra's parser agrees on each
 * understood statement.
 */
class StatementFuzzTest {

  private static final Classifier CLASSIFIER = new Classifier();

  /** Longer texts slow down Cassandra's parser and find no further faults. */
  private static final int MAX_CHARS = 4000;

  @FuzzTest
  void a_text_is_understood_as_by_cassandra_or_not_at_all(byte[] script) {
    Choices choices = new Choices(script);
    String text = text(choices);
    Classified verdict =
        CLASSIFIER.classify(text, "ks", TestTables.CATALOG, TestPartitioner.BYTE_SUMS);
    use(text, verdict, new ChosenValues(choices));
    String actual = Summary.of(verdict);
    if (actual.equals("OTHER") || actual.startsWith("UNKNOWN_") || text.length() > MAX_CHARS) {
      return;
    }
    CQLStatement.Raw raw = CassandraOracle.parse(text);
    if (raw != null) {
      assertThat(actual).as(text).isEqualTo(CassandraOracle.summary(raw, "ks"));
    }
  }

  /** Uses each answer of a verdict, for values of any length. */
  private static void use(String text, Classified verdict, BoundValues values) {
    ByteBuffer key = verdict.routingKey(values);
    assertThat(key == null || key.hasRemaining()).isTrue();
    assertThat(verdict.limit(values)).isGreaterThanOrEqualTo(-1);
    assertThat(verdict.partitions(values)).isGreaterThanOrEqualTo(0);
    verdict.startToken(values);
    Select select = verdict.select();
    if (select != null) {
      for (Span span : Spans.of(select)) {
        boolean inside =
            span.start() >= 0 && span.start() <= span.end() && span.end() <= text.length();
        assertThat(inside).as("%s of %s", span, text).isTrue();
      }
    }
  }

  static String text(Choices choices) {
    if (choices.flip()) {
      return new String(choices.rest(), StandardCharsets.UTF_8);
    }
    CqlGenerator generator = new CqlGenerator(new Steered(choices));
    List<String> tokens = new ArrayList<>(generator.statement());
    for (int n = choices.below(3); n > 0 && !tokens.isEmpty(); n--) {
      int at = choices.octet() % tokens.size();
      switch (choices.below(3)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.add(at, tokens.get(choices.octet() % tokens.size()));
        default -> tokens.set(at, new String(choices.some(), StandardCharsets.UTF_8));
      }
    }
    return tokens.isEmpty() ? ";" : generator.print(tokens);
  }

  /** A source of random numbers that the fuzzer chooses. */
  private static final class Steered extends Random {
    private static final long serialVersionUID = 1L;
    private final transient Choices choices;

    Steered(Choices choices) {
      super(0);
      this.choices = choices;
    }

    @Override
    protected int next(int bits) {
      // One byte for a small choice, so that each byte of the fuzzer is one decision.
      int value = choices == null ? 0 : choices.octet() * 0x01010101;
      return value >>> (Integer.SIZE - bits);
    }
  }

  /** Values by position. */
  private record ChosenValues(Choices choices) implements BoundValues {
    @Override
    public @Nullable ByteBuffer get(int index) {
      return choices.below(4) == 0 ? null : ByteBuffer.wrap(choices.some());
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }
}
