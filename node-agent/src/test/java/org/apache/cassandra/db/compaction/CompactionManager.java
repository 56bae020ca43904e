package org.apache.cassandra.db.compaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.cassandra.db.ColumnFamilyStore;

/** A stand-in for Cassandra's class. */
public class CompactionManager {
  public static final CompactionManager instance = new CompactionManager();

  public final List<ColumnFamilyStore> submitted = new ArrayList<>();

  public synchronized List<Future<?>> submitBackground(ColumnFamilyStore table) {
    submitted.add(table);
    return List.of(CompletableFuture.completedFuture(null));
  }

  public synchronized int submissions() {
    return submitted.size();
  }
}
