/** Foundation: the statements that clients run and the cost of each, without literals. */
@NullMarked
package io.sluice.usage;

import org.jspecify.annotations.NullMarked;
