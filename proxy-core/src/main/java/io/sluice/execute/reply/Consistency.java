package io.sluice.execute.reply;

/** Consistency levels by their codes in the native protocol. */
public final class Consistency {

  private static final int ANY = 0;
  private static final int ONE = 1;
  private static final int TWO = 2;
  private static final int THREE = 3;
  private static final int ALL = 5;
  private static final int SERIAL = 8;
  private static final int LOCAL_SERIAL = 9;
  private static final int LOCAL_ONE = 10;

  private Consistency() {}

  /** Whether a level is SERIAL or LOCAL_SERIAL. */
  public static boolean isSerial(int consistency) {
    return consistency == SERIAL || consistency == LOCAL_SERIAL;
  }

  /**
   * Returns how many replicas must answer, at least 1.
   *
   * @param replicas the replicas in the local data centre; 0 when unknown
   */
  static int required(int consistency, int replicas) {
    return switch (consistency) {
      case ANY, ONE, LOCAL_ONE -> 1;
      case TWO -> 2;
      case THREE -> 3;
      case ALL -> Math.max(1, replicas);
      default -> replicas / 2 + 1;
    };
  }
}
