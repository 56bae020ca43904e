/** The advice for the settings of a host, derived from its files. */
@NullMarked
package io.sluice.host.plan;

import org.jspecify.annotations.NullMarked;
