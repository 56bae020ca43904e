/** Step 4 of 8: predicts how much of a range read's result lies where, and learns from answers. */
@NullMarked
package io.sluice.decide.predict;

import org.jspecify.annotations.NullMarked;
