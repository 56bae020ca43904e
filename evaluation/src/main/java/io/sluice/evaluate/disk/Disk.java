package io.sluice.evaluate.disk;

import java.nio.file.Path;
import java.util.Map;

/** A disk for nodes. {@link #close} removes what was made for it. Used by one thread. */
public interface Disk extends AutoCloseable {
  /** A folder on it, for nodes. */
  Path folder();

  /** Its parameters, for the report. */
  Map<String, String> about();

  @Override
  void close();

  /** A disk that is not made yet. */
  interface Plan {
    /** How reports call it. */
    String name();

    /** Makes it. */
    Disk open() throws InterruptedException;
  }
}
