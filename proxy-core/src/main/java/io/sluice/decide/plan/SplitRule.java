package io.sluice.decide.plan;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.ScatterPlan.WaveResult;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides how many pieces of a read go out together, and how many rows each is asked for. Pure;
 * safe for any thread.
 *
 * @param config mode and bounds
 */
record SplitRule(SplitConfig config) {

  /** Margin on the wanted rows while the error of the estimates is unknown. */
  static final double MARGIN = 0.03;

  /**
   * Pieces in the first wave of a table without an estimate. One sixteenth of the ring fills the
   * page if the table is large. If the table is small, it shows how few pieces the rest is worth.
   */
  static final int PROBES = 1;

  /** With this multiple of the wanted rows, the first piece is enough by itself. */
  private static final double ALONE = 2;

  /**
   * Returns the next wave: a prefix of {@code pieces}, never empty unless they are. While the error
   * of the estimates is unknown, the first piece of a read is not counted, as in the paper; but one
   * with an estimate of twice the wanted rows goes alone. Later waves scale the estimates by the
   * returned rows, if these had an estimate. After a wave that returned nothing, twice as many
   * pieces go.
   *
   * @param pieces the pieces that have not been asked yet, in ring order
   * @param wanted rows still missing, more than 0; {@link SubRequest#ALL} without limit or page
   * @param known whether the estimates are more than guesses
   * @param sigma standard deviation of actual / estimated rows of a piece, 0 when unknown
   * @param seen the result of earlier waves
   */
  List<SubRequest> wave(
      List<Piece> pieces, int wanted, boolean known, double sigma, WaveResult seen) {
    int most = Math.min(pieces.size(), config.maxSubRequests());
    if (wanted == SubRequest.ALL) {
      return all(pieces.subList(0, most), SubRequest.ALL);
    } else if (config.parallel() == SplitConfig.Parallel.PAPER) {
      return all(pieces.subList(0, prefix(pieces, most, wanted, 1, 1)), wanted);
    } else if (seen.subRequests() > 0) {
      return laterWave(pieces, most, wanted * (1 + margin(sigma, 1)), wanted, known, seen);
    } else if (!known) {
      return all(pieces.subList(0, Math.min(most, PROBES)), wanted);
    }
    boolean alone = most > 0 && pieces.get(0).rows() >= ALONE * wanted;
    int from = sigma > 0 ? 0 : 1;
    double margin = margin(sigma, prefix(pieces, most, wanted, 1, from));
    int count = alone ? 1 : prefix(pieces, most, wanted * (1 + margin), 1, from);
    return clipped(pieces.subList(0, count), wanted, margin, 1, from);
  }

  private List<SubRequest> laterWave(
      List<Piece> pieces, int most, double enough, int wanted, boolean known, WaveResult seen) {
    boolean estimated = seen.estimated() > 0;
    if (seen.returned() == 0 || !(estimated || known)) {
      return all(pieces.subList(0, (int) Math.min(most, 2L * seen.subRequests())), wanted);
    }
    double scale = estimated ? seen.returned() / seen.estimated() : 1;
    int count = prefix(pieces, most, enough, scale, 0);
    return clipped(pieces.subList(0, count), wanted, enough / wanted - 1, scale, 0);
  }

  /**
   * Returns two standard deviations of the total rows of {@code pieces} pieces, whose errors are
   * independent.
   */
  static double margin(double sigma, int pieces) {
    return sigma > 0 ? 2 * sigma / Math.sqrt(Math.max(1, pieces)) : MARGIN;
  }

  /** Returns the length of the shortest prefix with enough rows from piece {@code from} on. */
  private static int prefix(List<Piece> pieces, int most, double enough, double scale, int from) {
    double rows = 0;
    int count = Math.min(most, from);
    while (count < most && rows < enough) {
      rows += pieces.get(count).rows() * scale;
      count++;
    }
    return count;
  }

  private static List<SubRequest> all(List<Piece> pieces, int rows) {
    List<SubRequest> wave = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      wave.add(new SubRequest(piece, rows));
    }
    return wave;
  }

  /**
   * Asks all pieces for {@code wanted} rows, but the last only for those that the others will lack.
   */
  private static List<SubRequest> clipped(
      List<Piece> pieces, int wanted, double margin, double scale, int from) {
    List<SubRequest> wave = all(pieces, wanted);
    int last = pieces.size() - 1;
    if (last > 0) {
      double rows = 0;
      for (int i = from; i < last; i++) {
        rows += pieces.get(i).rows() * scale;
      }
      double missing = Math.ceil((wanted - rows) * (1 + margin));
      wave.set(
          last, new SubRequest(pieces.get(last), (int) Math.min(wanted, Math.max(1, missing))));
    }
    return wave;
  }
}
