package io.sluice.simulator.cluster;

/**
 * What a client asks for.
 *
 * @param point one partition, or rows from a token on
 * @param token the partition's token, or the first token
 * @param limit rows at most
 */
record Read(boolean point, long token, int limit) {}
