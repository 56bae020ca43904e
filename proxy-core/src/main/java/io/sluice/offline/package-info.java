/** Foundation: EXPLAIN without a cluster, at modelled nodes. */
@NullMarked
package io.sluice.offline;

import org.jspecify.annotations.NullMarked;
