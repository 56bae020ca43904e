/**
 * Clusters for the tests: the same tests run on child processes, on containers, or on existing
 * nodes.
 */
@NullMarked
package io.sluice.it.cluster;

import org.jspecify.annotations.NullMarked;
