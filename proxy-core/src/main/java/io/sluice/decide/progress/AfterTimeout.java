package io.sluice.decide.progress;

import io.sluice.ring.Token;

/** The decision about a piece that took too long. */
public sealed interface AfterTimeout {

  /** The same rows are asked for again, at another replica if there is one. */
  record AskAgain() implements AfterTimeout {}

  /**
   * The piece was cut in two, and both are asked.
   *
   * @param second the number of the new piece, which follows in ring order
   * @param middle the last token of the piece that was cut
   */
  record AskHalves(int second, Token middle) implements AfterTimeout {}

  /** The page fails. */
  record GiveUp() implements AfterTimeout {}
}
