package io.sluice.agent.hook;

/** Syncs of streamed files that wait, for operators. Counts are since the node started. */
public interface JoinMXBean {
  /** Whether syncs of streamed files wait, and automatic compaction while bootstrapping. */
  boolean isEnabled();

  /** Holds for the next files; what waits already is synced at its commit. */
  void setEnabled(boolean enabled);

  /** How many syncs that Cassandra asked for were put off. */
  long getSyncsPutOff();

  /** How many files were synced instead. */
  long getFilesSynced();

  /** Bytes of those files. */
  long getBytesSynced();

  /** How many files wait now. */
  int getFilesWaiting();

  /** How many commits waited for syncs. */
  long getBarriers();

  /** How long they waited, all together. */
  long getBarrierMillis();

  /** How long one of them waited at most. */
  long getLongestBarrierMillis();

  /** How many tables' automatic compaction waits now. */
  int getCompactionsHeld();

  /** All of it in one line of {@code key=value}, separated by blanks. */
  String getReport();
}
