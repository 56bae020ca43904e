package io.sluice.console;

import io.sluice.setting.Requirements;
import java.util.List;

/**
 * The settings of {@code system_proxy}.
 *
 * @param roles the roles that may see everything there and change it; empty for those that
 *     Cassandra calls superusers, and for all clients of a cluster that asks for no login
 * @param statements that are kept one by one, with what they have cost; 0 to 10,000
 */
public record ConsoleConfig(List<String> roles, int statements) {

  private static final int MOST_STATEMENTS = 10_000;

  public ConsoleConfig {
    roles = List.copyOf(roles);
    Requirements.of("console")
        .that(
            roles.stream().noneMatch(String::isBlank),
            "roles",
            roles,
            "must not name an empty role")
        .that(
            statements >= 0 && statements <= MOST_STATEMENTS,
            "statements",
            statements,
            "must be 0 to " + MOST_STATEMENTS)
        .check();
  }

  /** What holds unless something else is set. */
  public static ConsoleConfig defaults() {
    return new ConsoleConfig(List.of(), 300);
  }
}
