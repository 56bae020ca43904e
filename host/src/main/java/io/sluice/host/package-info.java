/** The command line for settings of the kernel under Cassandra. */
@NullMarked
package io.sluice.host;

import org.jspecify.annotations.NullMarked;
