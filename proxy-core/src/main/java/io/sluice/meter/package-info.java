/** Foundation: the metrics of the proxy and their names. */
@NullMarked
package io.sluice.meter;

import org.jspecify.annotations.NullMarked;
