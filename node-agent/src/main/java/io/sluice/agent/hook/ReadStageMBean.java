package io.sluice.agent.hook;

/** One ordered stage, for operators. Counters are since the node's start. */
public interface ReadStageMBean {
  /** Whether the stage is ordered; otherwise first in, first out, as without the agent. */
  boolean isEnabled();

  /** Takes effect at once, also for what waits. */
  void setEnabled(boolean enabled);

  /** How long a range read waits before it may pass point reads; remote point reads: a tenth. */
  long getAgeLimitMillis();

  /** 1 to 3,600,000; holds for what waits too. */
  void setAgeLimitMillis(long millis);

  /** Point reads of this node's own clients that wait. */
  int getQueuedLocalPoints();

  /** Point reads of other coordinators that wait. */
  int getQueuedRemotePoints();

  /** Range reads that wait. */
  int getQueuedRanges();

  /** Reads that were started although an older one waited. */
  long getOvertakes();

  /** Reads that were started before their turn because they had waited too long. */
  long getAged();

  /** Reads that were started first because their time was over: Cassandra drops them. */
  long getExpired();

  /** Reads that the agent could not tell apart; they go with the local point reads. */
  long getUnknown();

  /** Range reads whose width was told, by the proxy or by their coordinator, not guessed. */
  long getWidthsTold();

  /** All of it in one line of {@code key=value}, separated by blanks. */
  String getReport();
}
