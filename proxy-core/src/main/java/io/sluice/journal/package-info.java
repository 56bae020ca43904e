/** Foundation: the log lines about nodes while the proxy runs. */
@NullMarked
package io.sluice.journal;

import org.jspecify.annotations.NullMarked;
