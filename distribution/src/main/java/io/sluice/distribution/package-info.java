/** Documents of the command line, for the release. */
@NullMarked
package io.sluice.distribution;

import org.jspecify.annotations.NullMarked;
