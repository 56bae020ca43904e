package io.sluice.agent.join;

import java.io.IOException;

/** File operations below the JVM. Safe for any thread. */
interface Disk {
  /** Opens a file or folder for a later sync. Returns its descriptor. */
  int open(String path) throws IOException;

  /** Returns the size of a file in bytes; 0 if it is unknown. */
  long size(String path);

  /** Lets the kernel start writing the file's dirty pages, without waiting. */
  void beginWriting(int descriptor);

  /** Syncs the file, or the names in the folder. Returns when they are durable. */
  void sync(int descriptor) throws IOException;

  /** Closes a descriptor of {@link #open}. */
  void close(int descriptor);
}
