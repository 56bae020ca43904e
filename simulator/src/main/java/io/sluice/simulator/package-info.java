/**
 * The command line of the simulator: what would happen, found out in seconds and without a cluster.
 */
@NullMarked
package io.sluice.simulator;

import org.jspecify.annotations.NullMarked;
