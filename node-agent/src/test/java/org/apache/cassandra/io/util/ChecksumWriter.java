package org.apache.cassandra.io.util;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** A stand-in for Cassandra's class. */
public class ChecksumWriter {
  public @Nullable FileChannel synced;

  public void writeFullChecksum(File file) throws IOException {
    synced = new FileOutputStreamPlus(file, "OVERWRITE").getChannel();
    synced.force(true);
  }
}
