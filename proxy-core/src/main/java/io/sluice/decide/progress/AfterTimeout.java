package io.sluice.decide.progress;

import io.sluice.ring.Token;

/** The decision after a piece has timed out. */
public sealed interface AfterTimeout {

  /** Ask for the same rows again, at another replica if there is one. */
  record AskAgain() implements AfterTimeout {}

  /**
   * The piece was cut in two; ask for both halves.
   *
   * @param second the number of the new piece, which follows in ring order
   * @param middle the last token of the piece that was cut
   */
  record AskHalves(int second, Token middle) implements AfterTimeout {}

  /** The page fails. */
  record GiveUp() implements AfterTimeout {}
}
