/** Foundation: what is told of a request that is traced, and where that goes. Knows no exporter. */
@NullMarked
package io.sluice.trace;

import org.jspecify.annotations.NullMarked;
