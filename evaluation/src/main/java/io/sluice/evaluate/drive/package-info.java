/** Load on one target: closed-loop clients or open-loop arrivals, and what they saw. */
@NullMarked
package io.sluice.evaluate.drive;

import org.jspecify.annotations.NullMarked;
