/** A node on loopback with tables in memory, which answers the statements of the evaluation. */
@NullMarked
package io.sluice.fake;

import org.jspecify.annotations.NullMarked;
