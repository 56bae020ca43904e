package io.sluice.agent.hook;

import java.io.IOException;
import java.util.Map;

/** The index files that are kept in memory, for operators. All sizes are in bytes. */
public interface PinMXBean {
  /** Whether files may be kept in memory. */
  boolean isEnabled();

  /** Switches {@code pin} on or off within a second. Off releases all files. */
  void setEnabled(boolean enabled);

  /** Returns {@code locked}, {@code touched} or {@code off}. */
  String getMode();

  /** Returns the most bytes that may be kept in memory. */
  long getBudgetBytes();

  /**
   * Sets the budget, 0 or more, within a second. If files are locked, at most as many bytes are
   * kept as RLIMIT_MEMLOCK allows.
   */
  void setBudgetBytes(long bytes);

  /** Returns the part of the budget that memory, and RLIMIT_MEMLOCK if files are locked, allow. */
  long getAllowedBytes();

  /** Returns the size of all index files of all tables with reads. */
  long getWantedBytes();

  /** Returns the bytes kept in memory. */
  long getPinnedBytes();

  /** Returns the number of files kept in memory. */
  int getPinnedFiles();

  /** Returns the bytes kept in memory by table, {@code ks.table}. */
  Map<String, Long> getPinnedBytesByTable();

  /**
   * Returns the share of the kept files that is in memory now, 0 to 1, according to the kernel; 1
   * if no files are kept, -1 if unknown.
   */
  double getResidentShare() throws IOException;

  /** Returns how many times memory was too short for the kept files. */
  long getShortages();

  /**
   * Returns all values except those by table in one line of {@code key=value}, separated by blanks.
   */
  String getReport() throws IOException;
}
