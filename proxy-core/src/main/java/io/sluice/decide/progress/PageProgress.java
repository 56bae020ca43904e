package io.sluice.decide.progress;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlan.WaveResult;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one page of a range read, whose pieces go out in waves. It decides how many
 * pieces may be open at once, how many rows to ask each for, which piece is next, how many rows are
 * left, and how to continue after a timeout. It knows no nodes, answers or clock. Not safe for
 * several threads.
 *
 * <p>Pieces have numbers, from 0 in the order in which they were added. A read may have very many,
 * so those that have ended are forgotten when others are added.
 */
public final class PageProgress {

  private final PageGoal goal;
  private final int mostPieces;

  /** Rows that a node will probably read for a sub-request. */
  private final ToDoubleFunction<SubRequest> expected;

  private final Wave wave = new Wave();
  private final EndedPieces endedPieces = new EndedPieces();

  /** The number of pieces that were added. */
  private int added;

  private int waves;

  /** Rows that were missing when the current wave was sent. */
  private int missingAtWave;

  /** The end of the last piece; null at the end of the ring. */
  private @Nullable Token behind;

  private long returned;

  /** The sums of all pieces that have returned all their rows. */
  private static final class EndedPieces {
    int count;
    double estimated;
    double read;
    long returned;
  }

  /**
   * Creates the progress of a page without pieces.
   *
   * @param mostPieces largest number of open pieces; at least 1
   * @param expected rows that a node will probably read for a sub-request
   */
  public PageProgress(PageGoal goal, int mostPieces, ToDoubleFunction<SubRequest> expected) {
    this.goal = goal;
    this.mostPieces = mostPieces;
    this.expected = expected;
  }

  /**
   * Begins a wave behind all earlier pieces, which have ended.
   *
   * @param missing rows that the page still wants; {@link SubRequest#ALL} for all
   * @return the numbers of the new pieces
   */
  public List<Integer> send(int missing, List<SubRequest> requests) {
    waves++;
    wave.clear();
    missingAtWave = missing;
    return append(requests);
  }

  /**
   * Returns how many pieces to add to the current wave. A read of all rows does not wait for its
   * slowest piece: it gets more pieces when half of them have ended.
   *
   * @return 0 if none is to be added
   */
  public int room() {
    int open = openPieces();
    boolean waits = coversRange() || goal.rows() != SubRequest.ALL || open > mostPieces / 2;
    return waits ? 0 : mostPieces - open;
  }

  /**
   * Adds pieces to the current wave, and removes its ended pieces.
   *
   * @param requests at most {@link #room}
   * @return the numbers of the new pieces
   */
  public List<Integer> add(List<SubRequest> requests) {
    wave.forgetEnded();
    return append(requests);
  }

  private List<Integer> append(List<SubRequest> requests) {
    List<Integer> numbers = new ArrayList<>(requests.size());
    for (SubRequest request : requests) {
      PieceProgress piece = next(request);
      piece.begun = goal.resumed() && piece.number == 0;
      wave.add(piece);
      numbers.add(piece.number);
    }
    behind = requests.isEmpty() ? null : requests.get(requests.size() - 1).piece().range().upTo();
    return numbers;
  }

  private PieceProgress next(SubRequest request) {
    return new PieceProgress(added++, request);
  }

  /** Whether no piece follows those added so far. */
  public boolean coversRange() {
    return behind == null || goal.range().intersect(new TokenRange(behind, null)).isEmpty();
  }

  /** Returns the end of the last piece; null at the end of the ring. */
  public @Nullable Token behind() {
    return behind;
  }

  /** Returns the result of the pieces so far, from which the next wave is planned. */
  public WaveResult seen() {
    return new WaveResult(wave.inOrder().size(), endedPieces.estimated, endedPieces.returned);
  }

  /** Returns the number of waves so far. */
  public int waves() {
    return waves;
  }

  /**
   * Returns the sub-request of a piece of the current wave.
   *
   * @throws IllegalStateException when the piece has been forgotten
   */
  public SubRequest request(int number) {
    return wave.piece(number).request;
  }

  /**
   * Returns how many rows to ask a piece for at first, when a node has room for it.
   *
   * @return 0 if the pieces before it have returned all that was missing
   */
  public int rowsAtDispatch(int number) {
    PieceProgress piece = wave.piece(number);
    long earlier = 0;
    for (PieceProgress each : wave.inOrder()) {
      if (each == piece) {
        break;
      }
      earlier += each.rows;
    }
    return piece.request.rowsAtDispatch(missingAtWave, earlier);
  }

  /**
   * Adds rows that a node returned for a piece.
   *
   * @param all whether they include the last row of the piece
   */
  public void returned(int number, int rows, boolean all) {
    PieceProgress piece = wave.piece(number);
    piece.rows += rows;
    piece.begun = true;
    piece.timeouts = 0;
    piece.lastTry = false;
    returned += rows;
    if (all && !piece.ended) {
      piece.ended = true;
      endedPieces.count++;
      endedPieces.estimated += piece.request.piece().rows();
      endedPieces.read += expected.applyAsDouble(piece.request);
      endedPieces.returned += piece.rows;
    }
  }

  /** Returns how many pieces of the current wave may still return rows. */
  public int openPieces() {
    int open = 0;
    for (PieceProgress each : wave.inOrder()) {
      open += each.ended ? 0 : 1;
    }
    return open;
  }

  /** Returns how many pieces of all waves have returned all their rows. */
  public int ended() {
    return endedPieces.count;
  }

  /** Returns the pieces of the current wave in ring order. */
  public List<Integer> inOrder() {
    return wave.inOrder().stream().map(piece -> piece.number).toList();
  }

  /**
   * Whether no piece before this one is open. Its rows are the next of the page, so it never waits
   * for memory.
   */
  public boolean isNext(int number) {
    PieceProgress piece = wave.piece(number);
    for (PieceProgress each : wave.inOrder()) {
      if (each == piece || !each.ended) {
        return each == piece;
      }
    }
    return true;
  }

  /**
   * Whether the rows without a gap fill the page. A page of all rows is never full; it ends with
   * its last piece.
   */
  public boolean isFull() {
    return missing() == 0;
  }

  /**
   * Returns how many rows the page still wants behind the rows without a gap; {@link
   * SubRequest#ALL} for all.
   */
  public int missing() {
    return goal.rows() == SubRequest.ALL
        ? SubRequest.ALL
        : (int) Math.max(0, goal.rows() - inSequence());
  }

  private long inSequence() {
    long rows = returned;
    boolean gap = false;
    for (PieceProgress each : wave.inOrder()) {
      rows -= gap ? each.rows : 0;
      gap |= !each.ended;
    }
    return rows;
  }

  /** Returns how many rows nodes will probably still read for the page; at least 0. */
  public double rowsLeft() {
    return Math.max(0, goal.expected() - (goal.returnsWhatIsRead() ? returned : endedPieces.read));
  }

  /** Returns {@link #rowsLeft} as a share of all rows that nodes read for the page, 0 to 1. */
  public double shareLeft() {
    return goal.expected() > 0 ? rowsLeft() / goal.expected() : 1;
  }

  /** Returns how many sub-requests nodes will probably still read for the page; at least 1. */
  public int readsLeft() {
    return Math.max(1, openPieces());
  }

  /**
   * Decides how to continue after a piece has timed out. The first timeout may be the replica's
   * fault. After the second, a piece that has returned nothing is cut in two; neither half is
   * retried.
   */
  public AfterTimeout timedOut(int number) {
    PieceProgress piece = wave.piece(number);
    piece.timeouts++;
    if (piece.lastTry) {
      return new AfterTimeout.GiveUp();
    } else if (piece.timeouts == 1) {
      return new AfterTimeout.AskAgain();
    }
    return piece.begun ? new AfterTimeout.GiveUp() : cut(piece);
  }

  private AfterTimeout cut(PieceProgress piece) {
    SubRequest whole = piece.request;
    TokenRange range = whole.piece().range();
    Token middle = range.lastOf(1, 2, goal.minimum());
    TokenRange first = new TokenRange(range.after(), middle);
    TokenRange second = new TokenRange(middle, range.upTo());
    if (middle == null || first.isEmpty() || second.isEmpty()) {
      return new AfterTimeout.GiveUp();
    }
    PieceProgress other = next(half(whole, second));
    wave.addBehind(piece, other);
    piece.request = half(whole, first);
    piece.lastTry = true;
    other.lastTry = true;
    return new AfterTimeout.AskHalves(other.number, middle);
  }

  private static SubRequest half(SubRequest whole, TokenRange range) {
    Piece piece = whole.piece();
    return new SubRequest(new Piece(range, piece.replicas(), piece.rows() / 2), whole.rows());
  }

  /** The decision after a piece has timed out. */
  public sealed interface AfterTimeout {

    /** Ask for the same rows again, at another replica if there is one. */
    record AskAgain() implements AfterTimeout {}

    /**
     * The piece was cut in two; ask for both halves.
     *
     * @param second the number of the new piece, which follows in ring order
     * @param middle the last token of the piece that was cut
     */
    record AskHalves(int second, Token middle) implements AfterTimeout {}

    /** The page fails. */
    record GiveUp() implements AfterTimeout {}
  }

  /**
   * The rows that one page of a range read wants.
   *
   * @param range the range that has not been delivered yet
   * @param minimum the partitioner's minimum token
   * @param rows rows of the page, or of LIMIT without paging; {@link SubRequest#ALL} for all
   * @param expected rows that nodes will probably read for it; at least 0
   * @param returnsWhatIsRead whether a node returns exactly the rows that it reads
   * @param resumed whether the first piece continues where an earlier page ended
   */
  public record PageGoal(
      TokenRange range,
      Token minimum,
      int rows,
      double expected,
      boolean returnsWhatIsRead,
      boolean resumed) {}
}
