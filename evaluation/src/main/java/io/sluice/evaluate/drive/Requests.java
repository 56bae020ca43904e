package io.sluice.evaluate.drive;

import java.util.SplittableRandom;

/** A stream of requests to one target. Safe for any thread. */
public interface Requests {
  /** Draws a client's next request. The same numbers give the same requests. */
  Ask next(SplittableRandom random);
}
