package io.sluice.agent.pin;

import java.io.IOException;

/** A way to keep files in memory. Safe for any thread. */
interface Holder {
  /** Returns the name of the way for operators: {@code locked} or {@code touched}. */
  String mode();

  /** Returns the bytes of a page. */
  int pageSize();

  /** Returns the bytes that can be kept in addition to those kept now. */
  long room();

  /** Whether kept files must be read again from time to time. */
  boolean repeats();

  /**
   * Creates a hold for a file, without reading the file yet.
   *
   * @throws IOException if the file is gone or has changed
   */
  Hold hold(IndexFile file) throws IOException;
}
