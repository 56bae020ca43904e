/**
 * Steps 3 and 4 of 8: parses a client's frame into the statement that it runs, prepares or
 * executes, and shows it for EXPLAIN.
 */
@NullMarked
package io.sluice.statement;

import org.jspecify.annotations.NullMarked;
