package io.sluice.decide.rule;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The asking side of a request.
 *
 * @param role the role that logged in
 * @param application what its driver says the application is; null if it says nothing
 * @param driver the driver's name; null if it says nothing
 * @param address the client's; null where it has no internet address
 */
public record SessionFacts(
    String role,
    @Nullable String application,
    @Nullable String driver,
    @Nullable InetAddress address) {}
