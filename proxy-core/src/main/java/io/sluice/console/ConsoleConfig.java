package io.sluice.console;

import io.sluice.setting.Requirements;
import java.util.List;

/**
 * The settings of {@code system_proxy}.
 *
 * @param roles the roles that may see and change everything there; if empty, these are Cassandra's
 *     superusers, and all clients of a cluster without logins
 * @param statements number of statements whose cost is kept separately; 0 to 10,000
 */
public record ConsoleConfig(List<String> roles, int statements) {

  private static final int MAX_STATEMENTS = 10_000;

  public ConsoleConfig {
    roles = List.copyOf(roles);
    Requirements.of("console")
        .that(
            roles.stream().noneMatch(String::isBlank),
            "roles",
            roles,
            "must not contain an empty role")
        .that(
            statements >= 0 && statements <= MAX_STATEMENTS,
            "statements",
            statements,
            "must be 0 to " + MAX_STATEMENTS)
        .check();
  }

  /** Returns the default settings. */
  public static ConsoleConfig defaults() {
    return new ConsoleConfig(List.of(), 300);
  }
}
