package org.apache.cassandra.io.util;

/** A stand-in for Cassandra's class. */
public class File {
  private final String path;

  public File(String path) {
    this.path = path;
  }

  @Override
  public String toString() {
    return path;
  }
}
