/** Small measurements of Sluice from outside, over the native protocol. */
@NullMarked
package io.sluice.bench;

import org.jspecify.annotations.NullMarked;
