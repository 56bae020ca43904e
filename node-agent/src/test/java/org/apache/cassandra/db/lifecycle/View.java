package org.apache.cassandra.db.lifecycle;

import java.util.Set;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** A stand-in for Cassandra's class. */
public final class View {
  private final Set<SSTableReader> sstables;

  public View(Set<SSTableReader> sstables) {
    this.sstables = sstables;
  }

  public Set<SSTableReader> liveSSTables() {
    return sstables;
  }
}
