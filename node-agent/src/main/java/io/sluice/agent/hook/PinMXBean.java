package io.sluice.agent.hook;

import java.io.IOException;
import java.util.Map;

/** The index files that are held in memory, for operators. All sizes are bytes. */
public interface PinMXBean {
  /** Whether files may be held. */
  boolean isEnabled();

  /** Takes effect within a second; false lets go of everything. */
  void setEnabled(boolean enabled);

  /** {@code locked}, {@code touched} or {@code off}. */
  String getMode();

  /** How much may be held at most. */
  long getBudgetBytes();

  /** 0 or more; takes effect within a second. RLIMIT_MEMLOCK may allow less. */
  void setBudgetBytes(long bytes);

  /** How much of the budget memory allows now. */
  long getAllowedBytes();

  /** How much every index file of every table that is read would take. */
  long getWantedBytes();

  /** How much is held. */
  long getPinnedBytes();

  /** How many files are held. */
  int getPinnedFiles();

  /** How much is held by table, {@code ks.table}. */
  Map<String, Long> getPinnedBytesByTable();

  /**
   * The share of held files that is in memory now, 0 to 1, asked of the kernel; 1 if none is held,
   * -1 where that cannot be known.
   */
  double getResidentShare() throws IOException;

  /** How many times memory was too short for what was held. */
  long getShortages();

  /** All of it but the tables in one line of {@code key=value}, separated by blanks. */
  String getReport() throws IOException;
}
