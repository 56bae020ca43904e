package io.sluice.decide.plan;

import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plan for a range read. */
public sealed interface ScatterPlan permits ScatterPlan.Scatter, Splittable.Whole {

  /**
   * A range read that is split among the owners of its pieces.
   *
   * @param split the statement
   * @param range the range that has not been delivered yet
   * @param minimum the partitioner's minimum token
   * @param wanted rows of this page, or of LIMIT without paging; {@link SubRequest#ALL} for all
   * @param rowsLeft rows left of LIMIT; −1 without, and for aggregates, whose LIMIT counts result
   *     rows
   * @param perPartition PER PARTITION LIMIT; −1 without
   * @param wave the pieces that go out first, in ring order; never empty
   */
  record Scatter(
      Splittable split,
      TokenRange range,
      Token minimum,
      int wanted,
      int rowsLeft,
      int perPartition,
      List<SubRequest> wave)
      implements ScatterPlan {

    public Scatter {
      wave = List.copyOf(wave);
    }

    private SplitStatement statement() {
      return (SplitStatement) split;
    }

    /**
     * Returns the warning that Cassandra gives for the statement but not for its pieces: an
     * aggregate over more than a range of tokens ({@code SelectStatement.execute}). Null without
     * one.
     */
    public @Nullable String warning() {
      var select = statement().statement().select();
      boolean aggregates =
          merge() instanceof MergeRule.Fold || (select != null && !select.groupBy().isEmpty());
      return aggregates && statement().tokens().isEmpty()
          ? "Aggregation query used without partition key"
          : null;
    }

    /** Returns the rule that combines the answers. */
    public MergeRule merge() {
      return statement().merge();
    }

    /** Returns the text to send for a piece: the same object for all pieces of one shape. */
    public SubStatement text(Piece piece) {
      return statement().texts().of(piece.range());
    }

    /** Returns the value of {@link SubStatement.Source#AFTER} for a piece. */
    public Token after(Piece piece) {
      Token after = piece.range().after();
      return after == null ? minimum : after;
    }
  }

  /**
   * A piece and the number of rows to ask for.
   *
   * @param piece the piece
   * @param rows rows that it is asked for at most, more than 0; {@link #ALL} for all it has
   */
  record SubRequest(Piece piece, int rows) {

    /** All rows. */
    public static final int ALL = Integer.MAX_VALUE;

    /**
     * Returns how many rows to ask for when the request's turn comes.
     *
     * @param wanted rows that the whole read wanted when this request was made
     * @param earlier rows that the pieces before this one have returned since then
     * @return 0 if no rows are missing any more and the request need not be sent
     */
    public int rowsAtDispatch(int wanted, long earlier) {
      return wanted == ALL ? rows : (int) Math.max(0, Math.min(rows, wanted - earlier));
    }
  }

  /**
   * The result of the earlier waves of a page.
   *
   * @param subRequests number of sub-requests in the last wave; 0 before the first
   * @param estimated estimated rows of the pieces that were read to their ends
   * @param returned their actual rows
   */
  record WaveResult(int subRequests, double estimated, long returned) {

    /** The result before the first wave. */
    public static final WaveResult NOTHING = new WaveResult(0, 0, 0);
  }

  /**
   * A part of a range read that one node is asked for.
   *
   * @param range its tokens
   * @param replicas its owners, the primary replica of its first token first. For a piece that
   *     spans owners, nodes that own all or a part of it
   * @param rows estimated number of its rows, at least 0
   */
  record Piece(TokenRange range, List<NodeId> replicas, double rows) {

    public Piece {
      replicas = List.copyOf(replicas);
    }
  }
}
