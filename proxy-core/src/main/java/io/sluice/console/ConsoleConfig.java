package io.sluice.console;

import io.sluice.setting.Requirements;
import java.util.List;

/**
 * The settings of {@code system_proxy}.
 *
 * @param roles the roles that may see everything there and change it; empty for those that
 *     Cassandra calls superusers, and for all clients of a cluster that asks for no login
 */
public record ConsoleConfig(List<String> roles) {

  public ConsoleConfig {
    roles = List.copyOf(roles);
    Requirements.of("console")
        .that(
            roles.stream().noneMatch(String::isBlank),
            "roles",
            roles,
            "must not name an empty role")
        .check();
  }

  /** What holds unless something else is set. */
  public static ConsoleConfig defaults() {
    return new ConsoleConfig(List.of());
  }
}
