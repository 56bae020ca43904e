/**
 * Step 7 of 8: makes one answer, as one node would give it, of the answers to the pieces of a read.
 */
@NullMarked
package io.sluice.execute.merge;

import org.jspecify.annotations.NullMarked;
