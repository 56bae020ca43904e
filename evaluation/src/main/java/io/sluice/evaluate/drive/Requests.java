package io.sluice.evaluate.drive;

import java.util.SplittableRandom;

/** Creates requests to one target. Safe for any thread. */
public interface Requests {
  /** Draws a client's next request. Equal random numbers give equal requests. */
  Ask next(SplittableRandom random);
}
