/**
 * The host of the proxy: reads the configuration, serves the admin port, starts and stops. It knows
 * nothing of CQL; what it configures are the records of {@code proxy-core}.
 *
 * <p>Built from Dropwizard's parts (configuration sources, Jackson, logging, units) without its
 * {@code Application}: there is no HTTP application here, and starting without one takes half the
 * time.
 */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
