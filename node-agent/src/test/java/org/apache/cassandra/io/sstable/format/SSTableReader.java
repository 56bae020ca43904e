package org.apache.cassandra.io.sstable.format;

/** A stand-in for Cassandra's class. */
public class SSTableReader {
  /** A stand-in for Cassandra's enum. */
  public enum OpenReason {
    NORMAL,
    EARLY,
    METADATA_CHANGE,
    MOVED_START
  }

  public final OpenReason openReason;
  private final String filename;

  public SSTableReader(String filename, OpenReason openReason) {
    this.filename = filename;
    this.openReason = openReason;
  }

  public String getFilename() {
    return filename;
  }
}
