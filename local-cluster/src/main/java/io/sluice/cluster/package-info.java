/**
 * Starts unmodified Cassandra nodes from their published jars as child processes on loopback
 * addresses, for the demo, tests and evaluation.
 */
@NullMarked
package io.sluice.cluster;

import org.jspecify.annotations.NullMarked;
