/** Foundation: the statements that clients ask, and what each has cost, without literals. */
@NullMarked
package io.sluice.usage;

import org.jspecify.annotations.NullMarked;
