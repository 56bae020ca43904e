/** Steps 4 and 7 of 8: decides what the current page of a range read asks for next. */
@NullMarked
package io.sluice.decide.progress;

import org.jspecify.annotations.NullMarked;
