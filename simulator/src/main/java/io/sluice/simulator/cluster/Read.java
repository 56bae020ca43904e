package io.sluice.simulator.cluster;

/**
 * A client's read.
 *
 * @param point whether it reads one partition, or else rows from a token on
 * @param token the partition's token, or the first token
 * @param limit rows at most
 */
record Read(boolean point, long token, int limit) {}
