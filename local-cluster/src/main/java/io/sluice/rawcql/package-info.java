/** A blocking CQL connection without a driver. */
@NullMarked
package io.sluice.rawcql;

import org.jspecify.annotations.NullMarked;
