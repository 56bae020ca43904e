package io.sluice.evaluate;

import java.util.ArrayList;
import java.util.List;

/**
 * One load at one target in one round.
 *
 * @param round from 1 on; 0: to warm up, and nothing of it is kept
 * @param scene which load, by its place in the list
 * @param target its place in the list of targets
 */
record Step(int round, int scene, int target) {
  /**
   * Everything in turn: in each round every load, for each load every target, so that what changes
   * on the machine meanwhile meets all targets alike. The first target moves on from load to load.
   * The first load of each group also warms all targets up, just before it is measured first.
   *
   * @param groups of each load, its group
   */
  static List<Step> interleaved(int rounds, List<String> groups, int targets) {
    List<Step> steps = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (int scene = 0; scene < groups.size(); scene++) {
        if (round == 1 && groups.indexOf(groups.get(scene)) == scene) {
          steps.addAll(inTurn(0, scene, targets));
        }
        steps.addAll(inTurn(round, scene, targets));
      }
    }
    return steps;
  }

  private static List<Step> inTurn(int round, int scene, int targets) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < targets; i++) {
      steps.add(new Step(round, scene, Math.floorMod(i + scene + round - 1, targets)));
    }
    return steps;
  }

  boolean warmsUp() {
    return round == 0;
  }

  /** What a person calls its round. */
  String roundName() {
    return warmsUp() ? "warm-up" : "round " + round;
  }

  /** The same for all targets, another for each load and round. */
  long seed(long seed) {
    return seed + 1_000_003L * round + scene;
  }
}
