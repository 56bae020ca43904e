package io.sluice.evaluate;

import java.util.ArrayList;
import java.util.List;

/**
 * One load at one target in one round.
 *
 * @param round from 1 on
 * @param scene which load, by its place in the list
 * @param target who, by its place in the list
 */
record Step(int round, int scene, int target) {
  /**
   * Everything in turn: in each round every load, for each load every target, so that what changes
   * on the machine meanwhile meets all targets alike. Who begins moves on from load to load.
   */
  static List<Step> interleaved(int rounds, int scenes, int targets) {
    List<Step> steps = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (int scene = 0; scene < scenes; scene++) {
        for (int i = 0; i < targets; i++) {
          steps.add(new Step(round, scene, (i + scene + round - 1) % targets));
        }
      }
    }
    return steps;
  }

  /** The same for all targets, another for each load and round. */
  long seed(long seed) {
    return seed + 1_000_003L * round + scene;
  }
}
