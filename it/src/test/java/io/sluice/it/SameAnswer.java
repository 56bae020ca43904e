package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;

/** The rule of all these tests: through Sluice a script sees what it sees at a node. */
final class SameAnswer {
  private static final int SHOWN = 8;

  /** Runs against one target and writes down what it sees. */
  @FunctionalInterface
  interface Script {
    void run(Target target, Transcript seen) throws Exception;
  }

  private SameAnswer() {}

  /** Runs the script at a node, then through Sluice, and compares. */
  static void of(Stage stage, Script script) throws Exception {
    equal(run(stage.direct(), script), run(stage.sluice(), script));
  }

  /** Fails with the first lines that differ. */
  static void equal(List<String> direct, List<String> through) {
    assertThat(direct).as("the script saw something").isNotEmpty();
    StringBuilder differences = new StringBuilder();
    int shown = 0;
    for (int i = 0; i < Math.max(direct.size(), through.size()) && shown < SHOWN; i++) {
      String expected = i < direct.size() ? direct.get(i) : "(nothing)";
      String actual = i < through.size() ? through.get(i) : "(nothing)";
      if (!expected.equals(actual)) {
        differences.append("\n  Cassandra: ").append(expected);
        differences.append("\n  Sluice:    ").append(actual);
        shown++;
      }
    }
    if (shown > 0) {
      fail("answers differ:" + differences);
    }
  }

  private static List<String> run(Target target, Script script) throws Exception {
    Transcript seen = new Transcript(target);
    script.run(target, seen);
    return seen.lines();
  }
}
