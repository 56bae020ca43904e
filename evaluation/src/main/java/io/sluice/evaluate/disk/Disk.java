package io.sluice.evaluate.disk;

import java.nio.file.Path;
import java.util.Map;

/**
 * A disk for the data of nodes. {@link #close} removes what {@link Plan#open} has created. Not safe
 * for several threads.
 */
public interface Disk extends AutoCloseable {
  /** Returns a folder on the disk, for nodes. */
  Path folder();

  /** Returns the disk's parameters, for the report. */
  Map<String, String> about();

  @Override
  void close();

  /** A disk that can be opened. */
  interface Plan {
    /** Returns the name in reports. */
    String name();

    /**
     * Opens the disk, and creates it if it is a simulated one.
     *
     * @throws DiskFailure if it cannot be created
     */
    Disk open() throws InterruptedException;
  }
}
