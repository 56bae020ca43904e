package io.sluice.agent.join;

import java.io.IOException;

/** Files as the kernel knows them. Safe for any thread. */
interface Disk {
  /** Opens a file or folder to be synced later; returns its descriptor. */
  int open(String path) throws IOException;

  /** Lets the kernel begin to write what it has of the file, without waiting for that. */
  void beginWriting(int descriptor);

  /** Returns when all of the file, or the names in the folder, are durable. */
  void sync(int descriptor) throws IOException;

  /** Closes what {@link #open} opened. */
  void close(int descriptor);
}
