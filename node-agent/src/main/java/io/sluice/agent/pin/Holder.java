package io.sluice.agent.pin;

import java.io.IOException;

/** Begins to hold files, in one way. Safe for any thread. */
interface Holder {
  /** The way, for operators: {@code locked} or {@code touched}. */
  String mode();

  /** Bytes of a page. */
  int pageSize();

  /** Whether held files have to be taken up again from time to time. */
  boolean repeats();

  /**
   * Begins to hold a file; nothing is read yet.
   *
   * @throws IOException if it is gone or is not as it was
   */
  Hold hold(IndexFile file) throws IOException;
}
