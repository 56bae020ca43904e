/** The advice for a host, from what its files say. */
@NullMarked
package io.sluice.host.plan;

import org.jspecify.annotations.NullMarked;
