package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;

/** The rule of these tests: a script has the same results through Sluice as at a node. */
final class SameAnswer {
  private static final int SHOWN = 24;

  /** Runs against one target, and records the results. */
  @FunctionalInterface
  interface Script {
    void run(Target target, Transcript seen) throws Exception;
  }

  private SameAnswer() {}

  /** Runs the script at a node, then through Sluice, and compares the results. */
  static void of(Stage stage, Script script) throws Exception {
    equal(run(stage.direct(), script), run(stage.sluice(), script));
  }

  /** Fails with the lines that only one of them has. */
  static void equal(List<String> direct, List<String> through) {
    assertThat(direct).as("the script saw something").isNotEmpty();
    List<String> differences = differences(direct, through);
    if (!differences.isEmpty()) {
      fail(
          "answers differ:"
              + String.join("", differences.subList(0, Math.min(SHOWN, differences.size()))));
    }
  }

  private static List<String> run(Target target, Script script) throws Exception {
    Transcript seen = new Transcript(target);
    script.run(target, seen);
    return seen.lines();
  }

  /** Returns the lines of both that are not in a longest common subsequence. */
  private static List<String> differences(List<String> direct, List<String> through) {
    int[][] common = commonLengths(direct, through);
    List<String> differences = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < direct.size() || j < through.size()) {
      if (i < direct.size() && j < through.size() && direct.get(i).equals(through.get(j))) {
        i++;
        j++;
      } else if (j == through.size()
          || (i < direct.size() && common[i + 1][j] >= common[i][j + 1])) {
        differences.add("\n  Cassandra: " + direct.get(i++));
      } else {
        differences.add("\n  Sluice:    " + through.get(j++));
      }
    }
    return differences;
  }

  /** Returns the lengths of common subsequences, from line i and line j on. */
  private static int[][] commonLengths(List<String> direct, List<String> through) {
    int[][] common = new int[direct.size() + 1][through.size() + 1];
    for (int i = direct.size() - 1; i >= 0; i--) {
      for (int j = through.size() - 1; j >= 0; j--) {
        common[i][j] =
            direct.get(i).equals(through.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }
}
