package io.sluice.agent.queue;

/** The counts of tasks by lane since the start. Not safe for several threads. */
final class LaneCounts {
  /** How many tasks are looked at before the classifier is judged. */
  static final int WINDOW = 1000;

  /** Taken although an older task waited. */
  long overtakes;

  /** Taken because they had waited too long for their lane. */
  long aged;

  /** Taken at once because their deadline was over. */
  long expired;

  /** Offered, but the classifier did not know them. */
  long unknown;

  /** Range reads whose width was told, by the proxy or by their coordinator. */
  long widthsTold;

  private int asked;
  private int unknownOfAsked;
  private boolean doubtful;

  void came(Ticket ticket) {
    if (!ticket.asked) {
      return;
    }
    asked++;
    if (ticket.known == null) {
      unknown++;
      unknownOfAsked++;
    } else if (ticket.known.widthTold()) {
      widthsTold++;
    }
    if (asked == WINDOW) {
      doubtful = unknownOfAsked > WINDOW / 2;
      asked = 0;
      unknownOfAsked = 0;
    }
  }

  /** Whether more than half of the last full window were unknown; asking forgets it. */
  boolean becameDoubtful() {
    boolean answer = doubtful;
    doubtful = false;
    return answer;
  }
}
