package org.apache.cassandra.db.lifecycle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.cassandra.utils.SyncUtil;

/** A stand-in for Cassandra's class: syncs the file of the log, and writes nothing. */
public class LogReplica {
  private final Path file;

  public LogReplica(String file) {
    this.file = Path.of(file);
  }

  public void append(String record) throws IOException {
    if (record.isEmpty()) {
      throw new IllegalArgumentException("no record");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      SyncUtil.force(channel, true);
    }
  }
}
