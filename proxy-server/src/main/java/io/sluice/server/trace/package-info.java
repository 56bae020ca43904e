/** Traces on their way to a collector: the only place that knows the SDK of OpenTelemetry. */
@NullMarked
package io.sluice.server.trace;

import org.jspecify.annotations.NullMarked;
