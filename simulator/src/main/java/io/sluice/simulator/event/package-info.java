/** Foundation: a clock that jumps from one event to the next. */
@NullMarked
package io.sluice.simulator.event;

import org.jspecify.annotations.NullMarked;
