package io.sluice.agent.hook;

/** An ordered stage, for operators. Counters are since the start of the node. */
public interface ReadStageMBean {
  /** Whether the stage is ordered; otherwise it is first in, first out, as without the agent. */
  boolean isEnabled();

  /** Switches the order on or off at once, also for reads already queued. */
  void setEnabled(boolean enabled);

  /**
   * Returns the time after which a range read may pass point reads; a tenth of it for remote point
   * reads.
   */
  long getAgeLimitMillis();

  /** Sets the age limit, 1 to 3,600,000 ms, also for reads already queued. */
  void setAgeLimitMillis(long millis);

  /** Returns the number of queued point reads of this node's own clients. */
  int getQueuedLocalPoints();

  /** Returns the number of queued point reads of other coordinators. */
  int getQueuedRemotePoints();

  /** Returns the number of queued range reads. */
  int getQueuedRanges();

  /** Returns the number of reads started while an older one was queued. */
  long getOvertakes();

  /** Returns the number of reads started early because they had waited too long. */
  long getAged();

  /**
   * Returns the number of reads started first because their deadline had expired. Cassandra drops
   * them.
   */
  long getExpired();

  /**
   * Returns the number of reads that the agent could not classify. They are treated as local point
   * reads.
   */
  long getUnknown();

  /**
   * Returns the number of range reads whose width the proxy or their coordinator gave, so that it
   * was not guessed.
   */
  long getWidthsTold();

  /** Returns all values in one line of {@code key=value}, separated by blanks. */
  String getReport();
}
