package io.sluice.exchange.range;

import io.sluice.decide.predict.TableDensity;
import io.sluice.execute.merge.Merger.Answered;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Learns densities from the answers to one piece, up to its end or to the token of the last row.
 * Without a new token, the rows are added to those of the next answer.
 */
final class DensityFeedback {

  private @Nullable Token countedTo;
  private long rows;
  private long bytes;

  /**
   * Creates the feedback of a piece that begins after this token; null for the beginning of the
   * ring.
   */
  DensityFeedback(@Nullable Token after) {
    this.countedTo = after;
  }

  /**
   * Learns from one more answer.
   *
   * @param end the piece's last token; null for the end of the ring
   */
  void learn(Answered what, @Nullable Token end, TableDensity density, Partitioner partitioner) {
    rows += what.rows();
    bytes += what.bytes();
    ByteBuffer lastKey = what.lastKey();
    if (lastKey == null && !what.complete()) {
      return;
    }
    Token upTo = lastKey == null ? end : partitioner.hash(lastKey);
    TokenRange counted = new TokenRange(countedTo, upTo);
    if (!counted.isEmpty()) {
      density.learn(counted, rows, bytes);
      countedTo = upTo;
      rows = 0;
      bytes = 0;
    }
  }
}
