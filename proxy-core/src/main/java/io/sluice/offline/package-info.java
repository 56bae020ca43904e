/** Foundation: EXPLAIN without a cluster, at model nodes. */
@NullMarked
package io.sluice.offline;

import org.jspecify.annotations.NullMarked;
