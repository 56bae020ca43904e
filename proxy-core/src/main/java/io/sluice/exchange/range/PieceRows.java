package io.sluice.exchange.range;

/**
 * The rows of the next request for a piece, and the memory that is reserved for them. Without
 * memory, the piece is parked until other answers have left some. Not safe for several threads: its
 * client's lane.
 */
final class PieceRows {

  /** The result of {@link #resume} for a piece that stays as it is. */
  static final long NOT_RESUMED = -1;

  private final PieceSizing sizing;
  private final int number;

  /** The rows to ask for; 0 to decide when a node has a free slot. */
  private int wanted;

  private boolean parked;
  private long bytesToCome;

  /** Whether the piece waits at another proxy. */
  private boolean away;

  PieceRows(PieceSizing sizing, int number) {
    this.sizing = sizing;
    this.number = number;
  }

  /** Sets the rows that are missing. */
  void want(int rows) {
    wanted = sizing.pageSize(rows);
  }

  /** Returns the rows that a request would ask for now; 0 when none are missing. */
  int nextRows() {
    return wanted == 0 ? sizing.firstRows(number) : wanted;
  }

  /** Reserves memory for these rows. Without memory, the piece is parked; then returns false. */
  boolean reserve(int rows) {
    long bytes = sizing.bytes(number, rows);
    parked = !sizing.take(number, bytes);
    if (!parked) {
      bytesToCome = bytes;
    }
    return !parked;
  }

  /**
   * Reserves memory for these rows of a piece that will wait at another proxy. The next piece in
   * order needs none while it waits: its answer will be taken in any case. Without memory for
   * another, it is parked; then returns false.
   */
  boolean reserveAway(int rows) {
    if (sizing.isNext(number)) {
      parked = false;
      return true;
    }
    away = reserve(rows);
    if (away) {
      sizing.away(bytesToCome);
    }
    return away;
  }

  /**
   * Ends the wait of a parked piece if memory is free now, or if the piece is the next in order.
   *
   * @param promised bytes for which other pieces were resumed just now
   * @return bytes that the piece will take with its slot, 0 when they are taken; {@link
   *     #NOT_RESUMED} for a piece that is not parked or stays so
   */
  long resume(long promised) {
    long bytes = parked ? sizing.bytes(number, nextRows()) : 0;
    if (!parked || !sizing.hasRoom(number, bytes, promised)) {
      return NOT_RESUMED;
    }
    parked = false;
    return bytes;
  }

  /** Returns the estimated size of the expected answer. */
  long bytesToCome() {
    return bytesToCome;
  }

  /** Expects no further bytes. */
  void clear() {
    if (away) {
      away = false;
      sizing.away(-bytesToCome);
    }
    bytesToCome = 0;
  }
}
