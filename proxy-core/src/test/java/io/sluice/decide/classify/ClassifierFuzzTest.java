package io.sluice.decide.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.ring.TestPartitioner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that no text makes the classifier throw, hang, or return spans outside the text. The
 * property {@code sluice.fuzz.seconds} sets the duration.
 */
class ClassifierFuzzTest {
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("sluice.fuzz.seconds", 3L));
  private static final long SEED = Long.getLong("sluice.fuzz.seed", 20261121L);
  private static final Duration SLOWEST = Duration.ofSeconds(5);
  private static final String SPICE =
      "()[]{}'\"$?:;,.=<>!+-*/%@\\\u0000\n\r\t\u00a0\u00e9\ud83d PT0x1e9-- /**/ //AS IN token(expr(";

  private final Classifier classifier = new Classifier();
  private final Random random = new Random(SEED);

  @Test
  void no_text_throws_hangs_or_has_spans_outside_itself() {
    CqlGenerator generator = new CqlGenerator(random);
    Instant end = Instant.now().plus(TIME);
    long statements = 0;
    while (statements % 1024 != 0 || Instant.now().isBefore(end)) {
      String text = generator.print(generator.statement());
      int mutations = random.nextInt(6);
      for (int i = 0; i < mutations; i++) {
        text = mutated(text);
      }
      check(text);
      statements++;
    }
    assertThat(statements).isGreaterThan(1000);
  }

  @Test
  void deep_nesting_and_long_texts_are_classified_quickly() {
    for (String piece :
        List.of(
            "(",
            "[",
            "{",
            "((",
            "-",
            "f(",
            "a.",
            "a[",
            "(int)",
            "(a)",
            "list<",
            "(list<",
            "cast(",
            "{a:",
            "'",
            "\"",
            "$$",
            "/*",
            "1+",
            "?,",
            "a AND ",
            "(a = 1) AND ",
            ";",
            "0",
            "9d",
            "P1Y",
            "''",
            "..",
            "k IN (",
            "not ",
            "(a,")) {
      for (String head :
          List.of(
              "",
              "SELECT ",
              "SELECT * FROM t WHERE k = ",
              "SELECT * FROM t WHERE ",
              "INSERT INTO t (k) VALUES (",
              "BEGIN BATCH ",
              "UPDATE t SET v = ")) {
        check(head + piece.repeat(20_000));
      }
    }
  }

  private String mutated(String text) {
    if (text.isEmpty()) {
      return "?";
    }
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + 1 + random.nextInt(8));
    int spice = random.nextInt(SPICE.length());
    String inserted =
        SPICE.substring(spice, Math.min(SPICE.length(), spice + 1 + random.nextInt(3)));
    return switch (random.nextInt(6)) {
      case 0 -> text.substring(0, from) + text.substring(to);
      case 1 -> text.substring(0, from) + text.substring(from, to) + text.substring(from);
      case 2 -> text.substring(0, from);
      case 3 -> text.substring(from);
      case 4 -> text.substring(0, from) + (char) random.nextInt(0x10000) + text.substring(to);
      default -> text.substring(0, from) + inserted + text.substring(from);
    };
  }

  private void check(String text) {
    String shown = text.length() > 500 ? text.substring(0, 500) + "…" : text;
    Instant start = Instant.now();
    assertThatCode(() -> use(text)).as("seed %d: %s", SEED, shown).doesNotThrowAnyException();
    assertThat(Duration.between(start, Instant.now())).as(shown).isLessThan(SLOWEST);
  }

  private void use(String text) {
    Classified verdict =
        classifier.classify(text, "ks", TestTables.CATALOG, TestPartitioner.BYTE_SUMS);
    BoundValues values = new RandomValues();
    ByteBuffer key = verdict.routingKey(values);
    assertThat(key == null || key.hasRemaining()).isTrue();
    assertThat(verdict.limit(values)).isGreaterThanOrEqualTo(-1);
    assertThat(verdict.partitions(values)).isGreaterThanOrEqualTo(0);
    verdict.startToken(values);
    Select select = verdict.select();
    if (select != null) {
      inside(text, Spans.of(select));
    }
  }

  private static void inside(String text, List<Span> spans) {
    for (Span span : spans) {
      boolean inside =
          span.start() >= 0 && span.start() <= span.end() && span.end() <= text.length();
      assertThat(inside).as("%s", span).isTrue();
    }
  }

  /** Values of any length, or none. */
  private final class RandomValues implements BoundValues {
    @Override
    public @Nullable ByteBuffer get(int index) {
      byte[] bytes = new byte[random.nextInt(10)];
      random.nextBytes(bytes);
      return random.nextInt(4) == 0 ? null : ByteBuffer.wrap(bytes);
    }

    @Override
    public @Nullable ByteBuffer get(String name) {
      return null;
    }
  }
}
