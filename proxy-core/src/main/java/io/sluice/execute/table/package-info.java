/**
 * Step 6 of 8, without a node: SELECT over a small table in memory, with conditions, order, pages
 * and JSON.
 */
@NullMarked
package io.sluice.execute.table;

import org.jspecify.annotations.NullMarked;
