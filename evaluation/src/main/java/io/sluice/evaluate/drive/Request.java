package io.sluice.evaluate.drive;

/**
 * One request.
 *
 * @param of its class
 * @param table number of the table, from 0 on
 * @param place position of the row, or of the first row, in ring order, from 0 on
 * @param limit LIMIT of a range read
 */
record Request(RequestClass of, int table, int place, int limit) {}
