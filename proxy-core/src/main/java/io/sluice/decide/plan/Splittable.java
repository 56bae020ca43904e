package io.sluice.decide.plan;

/**
 * The way to split a statement, or the reason why it cannot be split. It depends only on the text
 * and the schema, never on values: worth caching with its {@link
 * io.sluice.decide.classify.Classified}, for as long. Immutable; safe for any thread.
 */
public sealed interface Splittable permits SplitStatement, Splittable.Whole {

  /** Returns which rows of its table the statement returns. */
  ResultRows rows();

  /** The statement goes to one node unchanged. */
  record Whole(Reason reason) implements Splittable, ScatterPlan {

    private static final ResultRows NOT_COUNTED = new ResultRows(ResultRows.Kind.AGGREGATE, "");

    /** {@inheritDoc} Their number is not used. */
    @Override
    public ResultRows rows() {
      return NOT_COUNTED;
    }
  }

  /** The reasons why a read is not split. */
  enum Reason {
    /** Splitting is switched off, by its own setting or because the proxy only forwards. */
    SWITCHED_OFF,
    /** The statement is not a SELECT over a range of tokens. */
    NOT_A_RANGE_READ,
    /** The statement names its partitions by IN. */
    IN_ON_PARTITION_KEY,
    /** The statement has too long a text, or too many markers or restrictions, to analyze. */
    TOO_LONG,
    /** The table or its owners are not known (yet). */
    UNKNOWN_TABLE,
    /** A column of the table is masked: rows may not show the key that a page is resumed by. */
    MASKED,
    /** The statement reads a table of Cassandra's own. */
    SYSTEM_TABLE,
    /** ORDER BY … ANN OF: it wants the nearest rows of the whole ring. */
    NEAREST_NEIGHBOURS,
    /** ORDER BY. */
    ORDERED,
    /** A column of the partition key is restricted, other than by its token. */
    PARTITION_KEY_FILTERED,
    /** {@code expr(index, …)}: the effect of a custom index is unknown. */
    CUSTOM_INDEX,
    /**
     * A restricted column has an index, or must have one. Each piece would search the index again:
     * its size depends on the rows that match, not on the table's partitions.
     */
    INDEXED,
    /**
     * With an added token restriction Cassandra might accept a statement that it otherwise refuses.
     */
    FILTERING_IN_DOUBT,
    /**
     * There are several token restrictions on one side, or they are on other columns or of another
     * kind.
     */
    TOKEN_RESTRICTIONS,
    /** The statement calls a function that may depend on more than the row: a user's, now(). */
    FUNCTION,
    /**
     * The value of a literal depends on the node or the moment: {@code 'now'}, a timestamp without
     * an offset, the name of a host.
     */
    LITERAL_IN_DOUBT,
    /** GROUP BY something other than the partition key. */
    GROUPED,
    /** An aggregate beside other selectors, within an expression, as JSON or with DISTINCT. */
    AGGREGATE_FORM,
    /** An aggregate of something other than a column of a type that can be combined. */
    AGGREGATE_ARGUMENT,
    /** An aggregate whose rounding depends on the order of the rows. */
    AGGREGATE_ROUNDS,
    /** PER PARTITION LIMIT where Cassandra does not allow it. */
    PER_PARTITION_LIMIT,
    /** A value of a bound is missing, null, unset or not understood. */
    BOUND_UNKNOWN,
    /** A bound of keys in byte order has no token right before it. */
    BOUND_NOT_EXACT,
    /**
     * A page could not end inside an answer: the columns lack a part of the primary key, or the
     * statement is JSON, grouped, or sent with protocol v3. Sequential pieces would take as many
     * round trips as the ring has ranges.
     */
    NOT_RESUMABLE,
    /** A limit is missing, null, unset or not positive. */
    LIMIT_UNKNOWN,
    /** The LIMIT is so small that one request costs less than a plan and its pieces. */
    SMALL,
    /** The range is empty, which one node can answer as well as many. */
    EMPTY_RANGE,
    /** The consistency level is a serial one. */
    SERIAL,
    /** The client asks for a trace: a node traces the whole read as one session. */
    TRACED,
    /** The request binds more or fewer values than the statement has markers. */
    VALUES_IN_DOUBT,
    /** A large value has several markers: each piece would be much larger than the request. */
    REPEATED_VALUES,
    /** The request continues with a paging state of a node. */
    PAGING_STATE_OF_A_NODE,
    /** The client knows outdated columns: a node tells it of the change (v5). */
    COLUMNS_CHANGED,
    /** An aggregate of decimals with very many digits, or of very different scales. */
    LONG_DECIMALS,
    /** A node refused a sub-request. */
    REFUSED_BY_NODE
  }
}
