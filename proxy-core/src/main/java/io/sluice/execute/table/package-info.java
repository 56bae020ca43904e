/** SELECT over a small table that is at hand: conditions, order, pages, JSON. */
@NullMarked
package io.sluice.execute.table;

import org.jspecify.annotations.NullMarked;
