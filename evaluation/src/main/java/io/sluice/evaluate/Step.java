package io.sluice.evaluate;

import java.util.ArrayList;
import java.util.List;

/**
 * One load at one target in one round.
 *
 * @param round from 1 on; 0 for a warm-up, whose figures are dropped
 * @param scene index in the list of loads
 * @param target index in the list of targets
 */
record Step(int round, int scene, int target) {
  /**
   * Returns all steps: in each round every load, and under each load every target in turn. Changes
   * of the machine over time thus affect all targets alike. Each load begins with another target.
   * Before the first load of each group, all targets are warmed up with it.
   *
   * @param groups the group of each load
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

  /** Returns the name of the round for people. */
  String roundName() {
    return warmsUp() ? "warm-up" : "round " + round;
  }

  /** Returns a seed that is equal for all targets, and different for each load and round. */
  long seed(long seed) {
    return seed + 1_000_003L * round + scene;
  }
}
