/** One blocking CQL connection without a driver around it. */
@NullMarked
package io.sluice.rawcql;

import org.jspecify.annotations.NullMarked;
