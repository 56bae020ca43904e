/** Sends traces to a collector. Only this room uses the SDK of OpenTelemetry. */
@NullMarked
package io.sluice.server.trace;

import org.jspecify.annotations.NullMarked;
