package io.sluice.execute.merge;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a client's request that merging depends on.
 *
 * @param rule how the answers of pieces become one
 * @param version the protocol version of the client's connection
 * @param fetchSize rows a page; 0 for all in one
 * @param limit rows of LIMIT at the beginning of the read; −1 without
 * @param perPartitionLimit rows of PER PARTITION LIMIT; −1 without
 * @param resume where this page begins, which then says what is left of {@code limit}; null for the
 *     first page
 * @param digest the statement that a paging state is given for
 * @param maxBufferedBytes while more than this is held, no piece is asked ahead of the first that
 *     is not complete
 * @param warning what Cassandra would warn of, but not for the pieces; null without
 * @param changedTo columns that the client is to be told as changed, with their id (v5), if the
 *     rows have them; null without
 */
public record MergeOrder(
    MergeRule rule,
    int version,
    int fetchSize,
    int limit,
    int perPartitionLimit,
    @Nullable ResumePoint resume,
    StatementDigest digest,
    long maxBufferedBytes,
    @Nullable String warning,
    @Nullable StatementMetadata changedTo) {

  int rowsLeft() {
    return resume == null ? limit : resume.rowsLeft();
  }

  boolean paged() {
    return fetchSize > 0 && rule instanceof MergeRule.Concatenate;
  }
}
