package org.apache.cassandra.utils;

import java.nio.channels.FileChannel;
import org.apache.cassandra.io.util.File;

/** A stand-in for Cassandra's class. */
public class SyncUtil {
  public static int folders;
  public static int channels;

  private SyncUtil() {}

  public static void trySyncDir(File folder) {
    if (!folder.toString().isEmpty()) {
      folders++;
    }
  }

  public static void force(FileChannel channel, boolean metadata) {
    if (channel.isOpen() && metadata) {
      channels++;
    }
  }
}
