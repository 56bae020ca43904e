package io.sluice.exchange.range;

import io.sluice.exchange.range.PieceRead.LastAnswer;
import io.sluice.meter.ReadMeters;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a page by number. A piece that has returned all its rows is dropped, because a read
 * may have very many. Not safe for several threads: its client's lane.
 */
final class PagePieces {

  /** For so many ended pieces it is known when they were answered. */
  private static final int MOST_ANSWERS = 1_000;

  private final PageContext page;
  private final Map<Integer, PieceRead> open = new LinkedHashMap<>();

  /** The last answers to pieces that have ended, the oldest first. */
  private final ArrayDeque<LastAnswer> answers = new ArrayDeque<>();

  private int added;

  PagePieces(PageContext page) {
    this.page = page;
  }

  void add(PieceRead piece) {
    open.put(piece.number(), piece);
    added++;
  }

  /** Returns the number of all pieces so far. */
  int added() {
    return added;
  }

  /** Returns a piece; null when it has returned all its rows. */
  @Nullable PieceRead ifOpen(int number) {
    return open.get(number);
  }

  /**
   * Returns a piece that may still return rows.
   *
   * @throws IllegalStateException when it has returned all its rows
   */
  PieceRead piece(int number) {
    PieceRead piece = open.get(number);
    if (piece == null) {
      throw new IllegalStateException("piece " + number + " has returned all its rows");
    }
    return piece;
  }

  /** Drops a piece that has returned all its rows. */
  void ended(int number) {
    PieceRead piece = open.remove(number);
    LastAnswer answer = piece == null ? null : piece.lastAnswer();
    if (answer != null) {
      answers.add(answer);
    }
    if (answers.size() > MOST_ANSWERS) {
      merged(answers.remove(), page.context().clock().nanoTime());
    }
  }

  /**
   * Counts how long the last answers to the pieces have waited for the end of the page. If there
   * were very many, the time of earlier ones was counted before.
   */
  void merged(long now) {
    open.values().forEach(piece -> merged(piece.lastAnswer(), now));
    answers.forEach(answer -> merged(answer, now));
  }

  private void merged(@Nullable LastAnswer answer, long now) {
    if (answer != null) {
      ReadMeters reads = page.context().meters().reads();
      reads.merged(answer.by(), now - answer.atNanos());
    }
  }

  /** Whether a request is in flight. */
  boolean anySent() {
    return open.values().stream().anyMatch(PieceRead::isSent);
  }

  /** Cancels a piece, unless it has returned all its rows. */
  void cancel(int number) {
    PieceRead piece = open.get(number);
    if (piece != null) {
      piece.cancel();
    }
  }

  /** Cancels all pieces. */
  void cancel() {
    open.values().forEach(PieceRead::cancel);
  }

  /** Cancels all pieces, including requests that nodes have begun. */
  void abandon() {
    open.values().forEach(PieceRead::abandon);
  }
}
