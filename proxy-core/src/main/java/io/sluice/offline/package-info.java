/** Steps 3 and 4 of 8, beside the path: EXPLAIN without a cluster, at model nodes. */
@NullMarked
package io.sluice.offline;

import org.jspecify.annotations.NullMarked;
