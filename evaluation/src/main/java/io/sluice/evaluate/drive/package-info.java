/**
 * Load on one target, by closed-loop clients or open-loop arrivals, and the clients' observations.
 */
@NullMarked
package io.sluice.evaluate.drive;

import org.jspecify.annotations.NullMarked;
