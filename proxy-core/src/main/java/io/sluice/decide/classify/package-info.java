/**
 * Step 3 of 8: decides what a statement is and which partition it names. "I do not know" is an
 * answer.
 */
@NullMarked
package io.sluice.decide.classify;

import org.jspecify.annotations.NullMarked;
