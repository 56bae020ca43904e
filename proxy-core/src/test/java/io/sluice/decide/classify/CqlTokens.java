package io.sluice.decide.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A list of tokens that grows at random. */
abstract class CqlTokens {

  final Random random;
  List<String> out = new ArrayList<>();

  CqlTokens(Random random) {
    this.random = random;
  }

  boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  void add(String tokens) {
    out.addAll(List.of(tokens.split(" ")));
  }

  void one(String token) {
    out.add(token);
  }

  /** Adds the element one to {@code most} times, with commas between. */
  void several(int most, Runnable element) {
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        one(",");
      }
      element.run();
    }
  }

  void maybe(int in, Runnable part) {
    if (chance(in)) {
      part.run();
    }
  }
}
