package org.apache.cassandra.utils;

import org.apache.cassandra.io.util.File;

/** A stand-in for Cassandra's class. */
public class SyncUtil {
  public static int folders;

  private SyncUtil() {}

  public static void trySyncDir(File folder) {
    if (!folder.toString().isEmpty()) {
      folders++;
    }
  }
}
