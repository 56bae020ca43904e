package org.apache.cassandra.io.util;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A stand-in for Cassandra's class. */
public class FileOutputStreamPlus {
  public int syncs;
  private final FileChannel channel;

  public FileOutputStreamPlus(File file, String mode) throws IOException {
    if (mode.isEmpty()) {
      throw new IllegalArgumentException("no mode");
    }
    channel = FileChannel.open(Path.of(file.toString()), StandardOpenOption.WRITE);
  }

  public void sync() {
    syncs++;
  }

  public FileChannel getChannel() {
    return channel;
  }
}
