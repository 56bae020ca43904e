/** Foundation: the only place that reads the system clock. */
@NullMarked
package io.sluice.time;

import org.jspecify.annotations.NullMarked;
