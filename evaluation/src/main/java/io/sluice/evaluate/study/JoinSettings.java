package io.sluice.evaluate.study;

/**
 * The sizes of the data of a join.
 *
 * @param flushes SSTables of each of the four tables
 * @param rows rows of each SSTable
 * @param valueBytes bytes of a row's value
 * @param seed seed of the rows' values
 */
public record JoinSettings(int flushes, int rows, int valueBytes, long seed) {}
