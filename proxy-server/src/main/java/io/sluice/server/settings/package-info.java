/**
 * The configuration file: its format, every fault of it at once, and reloads while the proxy runs.
 * The door is {@link io.sluice.server.settings.ConfigurationFile}, an argument of commands; {@link
 * io.sluice.server.settings.Reloads} and {@link io.sluice.server.settings.LiveSettings} are for a
 * process whose settings change.
 */
@NullMarked
package io.sluice.server.settings;

import org.jspecify.annotations.NullMarked;
