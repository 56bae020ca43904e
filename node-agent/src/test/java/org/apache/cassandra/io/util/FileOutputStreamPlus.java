package org.apache.cassandra.io.util;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A stand-in for Cassandra's class. */
public class FileOutputStreamPlus {
  public int syncs;

  public FileOutputStreamPlus(File file, String mode) throws IOException {
    if (!Files.exists(Path.of(file.toString()))) {
      throw new IOException(file + " cannot be opened to " + mode);
    }
  }

  public void sync() {
    syncs++;
  }
}
