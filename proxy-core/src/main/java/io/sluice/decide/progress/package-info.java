/** Steps 4 and 7 of 8: decides what a page of a range read under way asks for next. */
@NullMarked
package io.sluice.decide.progress;

import org.jspecify.annotations.NullMarked;
