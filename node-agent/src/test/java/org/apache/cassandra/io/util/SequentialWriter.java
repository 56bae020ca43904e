package org.apache.cassandra.io.util;

import java.nio.file.Path;
import org.apache.cassandra.utils.SyncUtil;

/** A stand-in for Cassandra's class. */
public class SequentialWriter {
  public int syncs;

  @SuppressWarnings("UnusedVariable") // read by the agent
  private final String filePath;

  public SequentialWriter(String path) {
    this.filePath = path;
    SyncUtil.trySyncDir(new File(Path.of(path).getParent().toString()));
  }

  protected void syncDataOnlyInternal() {
    syncs++;
  }

  public void sync() {
    syncDataOnlyInternal();
  }
}
