package io.sluice.evaluate.drive;

/**
 * One request.
 *
 * @param of its class
 * @param table which table, from 0 on
 * @param place the row, or the first row, by its place in ring order, from 0 on
 * @param limit LIMIT of a range read
 */
record Request(RequestClass of, int table, int place, int limit) {}
