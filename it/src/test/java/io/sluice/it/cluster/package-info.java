/** Clusters for the tests: the same bodies run on forked processes, on containers, or elsewhere. */
@NullMarked
package io.sluice.it.cluster;

import org.jspecify.annotations.NullMarked;
