package io.sluice.decide.rule;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a client that rules compare.
 *
 * @param role the role that logged in
 * @param application the application's name as the driver sends it; null without one
 * @param driver the driver's name; null without one
 * @param address the client's address; null if it has no internet address
 */
public record SessionFacts(
    String role,
    @Nullable String application,
    @Nullable String driver,
    @Nullable InetAddress address) {}
