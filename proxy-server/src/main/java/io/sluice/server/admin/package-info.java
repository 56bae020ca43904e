/**
 * The HTTP port for operators and monitoring: health, metrics and the live page, with TLS and a
 * token. The door is {@link io.sluice.server.admin.AdminPort}.
 */
@NullMarked
package io.sluice.server.admin;

import org.jspecify.annotations.NullMarked;
