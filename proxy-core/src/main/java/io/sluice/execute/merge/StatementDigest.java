package io.sluice.execute.merge;

/**
 * A hash of a statement's text, keyspace and bound values: a paging state serves only the statement
 * it was given for.
 *
 * @param high the first half
 * @param low the second half
 */
public record StatementDigest(long high, long low) {}
