/**
 * The demo: the same closed-loop mix of point and range reads straight at Cassandra and through
 * Sluice, in turn, and what each client saw. It knows Sluice only as a process and a CQL port.
 */
@NullMarked
package io.sluice.demo;

import org.jspecify.annotations.NullMarked;
