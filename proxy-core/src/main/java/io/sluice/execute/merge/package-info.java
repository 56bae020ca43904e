/**
 * Step 7 of 8: merges the answers to the pieces of a read into one answer, as one node would give
 * it.
 */
@NullMarked
package io.sluice.execute.merge;

import org.jspecify.annotations.NullMarked;
