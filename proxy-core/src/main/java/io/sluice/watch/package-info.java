/**
 * Foundation: watches the cluster through the Java driver, which is the control plane only, and
 * publishes what it sees as immutable snapshots.
 */
@NullMarked
package io.sluice.watch;

import org.jspecify.annotations.NullMarked;
