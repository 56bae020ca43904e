/**
 * Step 4 of 8: predicts how many rows a range read finds in which range, and learns from answers.
 */
@NullMarked
package io.sluice.decide.predict;

import org.jspecify.annotations.NullMarked;
