/**
 * The command line of the simulator: it predicts the behaviour of a cluster in seconds, without
 * one.
 */
@NullMarked
package io.sluice.simulator;

import org.jspecify.annotations.NullMarked;
