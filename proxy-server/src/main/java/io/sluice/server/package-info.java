/**
 * The host of the proxy: starts and stops the proxy with its meters and ports, and handles signals.
 * It knows no CQL; it configures {@code proxy-core} by its records.
 *
 * <p>It is built from parts of Dropwizard (configuration sources, Jackson, logging, units) without
 * its {@code Application}. There is no HTTP application here, and a start without one takes half
 * the time.
 */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
