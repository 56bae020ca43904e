package io.sluice.decide.plan;

/**
 * The way in which a statement can be split, or the reason why it cannot. Depends on its text and
 * the schema only, never on values: worth caching with the {@link
 * io.sluice.decide.classify.Classified} it was made from, for as long. Immutable; safe for any
 * thread.
 */
public sealed interface Splittable permits SplitStatement, Splittable.Whole {

  /** Which rows of its table it returns. */
  ResultRows rows();

  /** It goes to one node as it came. */
  record Whole(Reason reason) implements Splittable, ScatterPlan {

    private static final ResultRows NOT_COUNTED = new ResultRows(ResultRows.Kind.AGGREGATE, "");

    /** {@inheritDoc} How many those are is of no use, and not looked at. */
    @Override
    public ResultRows rows() {
      return NOT_COUNTED;
    }
  }

  /** Why a read is not split. */
  enum Reason {
    /** Splitting is switched off, by its own setting or because everything is only passed on. */
    SWITCHED_OFF,
    /** It is no SELECT over a range of tokens. */
    NOT_A_RANGE_READ,
    /** It names its partitions by IN. */
    IN_ON_PARTITION_KEY,
    /** Its text, its markers or its restrictions are more than is worth taking apart. */
    TOO_LONG,
    /** Its table is not known (yet), or its owners are not. */
    UNKNOWN_TABLE,
    /** A column of its table is masked: rows may not show the key by which a page is resumed. */
    MASKED,
    /** It reads a table of Cassandra's own. */
    SYSTEM_TABLE,
    /** ORDER BY … ANN OF: the nearest rows of the whole ring are wanted. */
    NEAREST_NEIGHBOURS,
    /** ORDER BY. */
    ORDERED,
    /** A column of the partition key is restricted other than by its token. */
    PARTITION_KEY_FILTERED,
    /** {@code expr(index, …)}: what a custom index does is not known. */
    CUSTOM_INDEX,
    /** With a token restriction added Cassandra might accept what it refuses without. */
    FILTERING_IN_DOUBT,
    /** Its token restrictions are several of one side, of other columns, or of another kind. */
    TOKEN_RESTRICTIONS,
    /** It calls a function that is not known to depend on the row alone: a user's, now(). */
    FUNCTION,
    /** GROUP BY something else than the partition key. */
    GROUPED,
    /** An aggregate next to what is none, within an expression, as JSON or with DISTINCT. */
    AGGREGATE_FORM,
    /** An aggregate of something else than a column of a type that can be put together. */
    AGGREGATE_ARGUMENT,
    /** An aggregate whose rounding depends on the order of its rows. */
    AGGREGATE_ROUNDS,
    /** PER PARTITION LIMIT where Cassandra does not have it. */
    PER_PARTITION_LIMIT,
    /** A value that bounds the range is missing, null, unset or not understood. */
    BOUND_UNKNOWN,
    /** A bound of keys in byte order that has no token right before it. */
    BOUND_NOT_EXACT,
    /**
     * A page of it could not end inside an answer: not all of the primary key is among its columns,
     * or it is JSON, grouped, or asked by protocol v3. Pieces one after another would take as many
     * round trips as the ring has ranges.
     */
    NOT_RESUMABLE,
    /** A limit is missing, null, unset or not positive. */
    LIMIT_UNKNOWN,
    /** Its LIMIT is so small that one request costs less than a plan and its pieces. */
    SMALL,
    /** The range is empty: one node says so as well as many. */
    EMPTY_RANGE,
    /** Its consistency level is a serial one. */
    SERIAL,
    /** It binds more or fewer values than it has markers. */
    VALUES_IN_DOUBT,
    /** It goes on with a paging state that a node gave out. */
    PAGING_STATE_OF_A_NODE,
    /** The client knows the columns of another time: a node tells it of the change (v5). */
    COLUMNS_CHANGED,
    /** A node refused what a part said. */
    REFUSED_BY_NODE
  }
}
