/** The command line for what belongs to the kernel of a host. */
@NullMarked
package io.sluice.host;

import org.jspecify.annotations.NullMarked;
