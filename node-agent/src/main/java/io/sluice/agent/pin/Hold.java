package io.sluice.agent.pin;

import java.io.IOException;

/** A file that is kept in memory, or is being read into it. Safe for any thread. */
interface Hold {
  /** Returns the file. */
  IndexFile file();

  /** Returns the bytes of the file in memory so far, in whole pages. */
  long heldBytes();

  /**
   * Does the next small piece of work. Blocks while the disk works.
   *
   * @return whether more work can be done now
   */
  boolean proceed() throws IOException;

  /** Whether the path still leads to the kept file. */
  boolean isCurrent();

  /** Returns the bytes of the file that are in memory now; -1 if unknown. */
  long residentBytes() throws IOException;

  /** Releases the file at once. A second call does nothing. */
  void close();
}
