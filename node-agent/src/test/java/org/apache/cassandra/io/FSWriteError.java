package org.apache.cassandra.io;

/** A stand-in for Cassandra's class. */
public class FSWriteError extends Error {
  private static final long serialVersionUID = 1L;

  public FSWriteError(Throwable cause, String path) {
    super(path, cause);
  }
}
