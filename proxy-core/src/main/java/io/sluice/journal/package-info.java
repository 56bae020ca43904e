/** Foundation: what the log says of the nodes while the proxy runs. */
@NullMarked
package io.sluice.journal;

import org.jspecify.annotations.NullMarked;
