package io.sluice.evaluate.study;

/**
 * The sizes of the data of a join.
 *
 * @param flushes SSTables of each of four tables
 * @param rows rows of each table in each SSTable
 * @param valueBytes bytes of a row's value
 * @param seed of the rows' values
 */
public record JoinSettings(int flushes, int rows, int valueBytes, long seed) {}
