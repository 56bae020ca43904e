/**
 * Step 6 of 8, where no node is needed: SELECT over a small table that is at hand, with conditions,
 * order, pages and JSON.
 */
@NullMarked
package io.sluice.execute.table;

import org.jspecify.annotations.NullMarked;
