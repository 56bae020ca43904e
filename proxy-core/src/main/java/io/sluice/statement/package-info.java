/**
 * Steps 3 and 4 of 8: what a client's frame asks, with the statement it prepares or executes, and
 * what EXPLAIN shows of it.
 */
@NullMarked
package io.sluice.statement;

import org.jspecify.annotations.NullMarked;
