package io.sluice.simulator.cluster;

/**
 * A read that a client sends.
 *
 * @param point one partition, or rows from a token on
 * @param token the partition's token, or the first token
 * @param limit rows at most
 */
record Read(boolean point, long token, int limit) {}
