/** Foundation: what is counted, and the names it is published under. */
@NullMarked
package io.sluice.meter;

import org.jspecify.annotations.NullMarked;
