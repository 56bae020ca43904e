package io.sluice.execute.merge;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.wire.StatementMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a client's request that merging depends on.
 *
 * @param rule the rule by which answers are merged
 * @param version the protocol version of the client's connection
 * @param fetchSize rows per page; 0 for all rows in one
 * @param limit the LIMIT of the statement; −1 without
 * @param perPartitionLimit the PER PARTITION LIMIT; −1 without
 * @param resume the point at which this page begins, with the rest of {@code limit}; null for the
 *     first page
 * @param digest the digest of the statement, for the paging state
 * @param maxBufferedBytes above this, no piece is read ahead of the first incomplete one
 * @param warning the warning that Cassandra gives for the statement but not for its pieces; null
 *     without
 * @param changedTo the changed columns to report to the client with their id (v5) if the rows have
 *     them; null without
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
