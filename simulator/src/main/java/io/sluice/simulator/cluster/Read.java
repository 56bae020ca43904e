package io.sluice.simulator.cluster;

/**
 * A client's read.
 *
 * @param point whether it reads one partition, or else rows from a token on
 * @param token the partition's token, or the first token
 * @param limit rows at most
 * @param table the number of the table; at least 0
 */
record Read(boolean point, long token, int limit, int table) {

  /** Creates a read of the first table. */
  Read(boolean point, long token, int limit) {
    this(point, token, limit, 0);
  }
}
