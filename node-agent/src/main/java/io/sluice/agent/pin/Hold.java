package io.sluice.agent.pin;

import java.io.IOException;

/** One file that is held in memory, or is on its way there. Safe for any thread. */
interface Hold {
  /** The file. */
  IndexFile file();

  /** Bytes of memory that are held of it by now, in whole pages. */
  long heldBytes();

  /**
   * Does the next small piece of work; takes as long as the disk needs for it.
   *
   * @return whether there is more to do now
   */
  boolean proceed() throws IOException;

  /** Whether the path still leads to the file that is held. */
  boolean isCurrent();

  /** Bytes of it that are in memory now; -1 where that cannot be known. */
  long residentBytes() throws IOException;

  /** Lets go of it at once. Does nothing the second time. */
  void close();
}
