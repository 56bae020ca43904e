package io.sluice.agent.hook;

/**
 * The deferral of syncs of streamed files, for operators. Counts are since the start of the node.
 */
public interface JoinMXBean {
  /** Whether syncs of streamed files are deferred, and automatic compaction during a bootstrap. */
  boolean isEnabled();

  /**
   * Switches the deferral on or off for the next files. Syncs already deferred are done at their
   * commit.
   */
  void setEnabled(boolean enabled);

  /** Returns the number of syncs that Cassandra requested and the agent deferred. */
  long getSyncsPutOff();

  /** Returns the number of files synced at a commit instead. */
  long getFilesSynced();

  /** Returns the bytes of those files. */
  long getBytesSynced();

  /** Returns the number of files whose sync is deferred now. */
  int getFilesWaiting();

  /** Returns the number of commits that waited for syncs. */
  long getBarriers();

  /** Returns the total time that commits waited for syncs, in milliseconds. */
  long getBarrierMillis();

  /** Returns the longest time that a commit waited for syncs, in milliseconds. */
  long getLongestBarrierMillis();

  /** Returns the number of tables whose automatic compaction is deferred now. */
  int getCompactionsHeld();

  /** Returns all values in one line of {@code key=value}, separated by blanks. */
  String getReport();
}
