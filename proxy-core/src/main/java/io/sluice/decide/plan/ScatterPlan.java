package io.sluice.decide.plan;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plan for a range read. */
public sealed interface ScatterPlan permits ScatterPlan.Scatter, Splittable.Whole {

  /**
   * A range read goes to the owners of its pieces.
   *
   * @param split the statement
   * @param range what has not been delivered yet
   * @param minimum the partitioner's minimum token
   * @param wanted rows of this page, of LIMIT when it is not paged; {@link SubRequest#ALL} for all
   * @param rowsLeft rows left of LIMIT; −1 without, and for aggregates, whose LIMIT is of one row
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
     * What Cassandra warns of when it is asked this, but not when it is asked for a piece: an
     * aggregate over more than a range of tokens ({@code SelectStatement.execute}). Null without.
     */
    public @Nullable String warning() {
      var select = statement().statement().select();
      boolean aggregates =
          merge() instanceof MergeRule.Fold || (select != null && !select.groupBy().isEmpty());
      return aggregates && statement().tokens().isEmpty()
          ? "Aggregation query used without partition key"
          : null;
    }

    /** How answers become one. */
    public MergeRule merge() {
      return statement().merge();
    }

    /** What is sent for a piece: the same object for all pieces of one shape. */
    public SubStatement text(Piece piece) {
      return statement().texts().of(piece.range());
    }

    /** The value of {@link SubStatement.Source#AFTER} for a piece. */
    public Token after(Piece piece) {
      Token after = piece.range().after();
      return after == null ? minimum : after;
    }
  }

  /**
   * One piece with how much of it is asked for.
   *
   * @param piece where
   * @param rows rows it is asked for at most, more than 0; {@link #ALL} for all it has
   */
  record SubRequest(Piece piece, int rows) {

    /** As many rows as there are. */
    public static final int ALL = Integer.MAX_VALUE;

    /**
     * What is still worth asking for when the request's turn has come.
     *
     * @param wanted rows the whole read wanted when this request was made
     * @param earlier rows that the pieces before this one have returned since then
     * @return rows to ask for; 0 when nothing is missing any more and it need not be sent
     */
    public int rowsAtDispatch(int wanted, long earlier) {
      return wanted == ALL ? rows : (int) Math.max(0, Math.min(rows, wanted - earlier));
    }
  }
}
