package io.sluice.agent.queue;

/** The counts of tasks since the start. Not safe for several threads. */
final class StageCounts {
  /** The number of classified tasks after which the classifier is judged. */
  static final int WINDOW = 1000;

  /** Tasks taken while an older one was queued. */
  long overtakes;

  /** Tasks taken because they had waited too long for their priority. */
  long aged;

  /** Tasks taken at once because their deadline had expired. */
  long expired;

  /** Tasks that the classifier did not know. */
  long unknown;

  /** Range reads whose width the proxy or their coordinator gave. */
  long widthsTold;

  private int classified;
  private int unknownOfClassified;
  private boolean doubtful;

  void onAdded(Ticket ticket) {
    if (!ticket.classified) {
      return;
    }
    classified++;
    if (ticket.known == null) {
      unknown++;
      unknownOfClassified++;
    } else if (ticket.known.widthTold()) {
      widthsTold++;
    }
    if (classified == WINDOW) {
      doubtful = unknownOfClassified > WINDOW / 2;
      classified = 0;
      unknownOfClassified = 0;
    }
  }

  /** Whether more than half of the last full window were unknown. Resets the answer. */
  boolean becameDoubtful() {
    boolean answer = doubtful;
    doubtful = false;
    return answer;
  }
}
