/**
 * The demo: runs the same closed-loop mix of point and range reads directly and through Sluice, in
 * turn, and compares the times that clients see. It knows Sluice only as a process and a CQL port.
 */
@NullMarked
package io.sluice.demo;

import org.jspecify.annotations.NullMarked;
