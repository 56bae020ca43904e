/** Step 5 of 8: says who of those that wait goes along with a read whose turn has come. */
@NullMarked
package io.sluice.decide.share;

import org.jspecify.annotations.NullMarked;
