/**
 * The paper's simulation of orders (Fig. 5): a batch of range queries, queued at once, on twelve
 * nodes.
 */
@NullMarked
package io.sluice.simulator.fig5;

import org.jspecify.annotations.NullMarked;
