/** The frames of the driver's connections. Only this room knows the driver's internals. */
@NullMarked
package io.sluice.torture.wire;

import org.jspecify.annotations.NullMarked;
