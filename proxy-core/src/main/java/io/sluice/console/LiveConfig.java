package io.sluice.console;

import io.sluice.decide.rule.Rule;
import io.sluice.exchange.ExchangeConfig;
import java.util.List;

/**
 * The settings of the proxy that may change while it runs.
 *
 * @param exchange those that a request is subject to, and the scheduler's
 * @param roles see {@link ConsoleConfig}
 * @param rules what is allowed to whom
 */
public record LiveConfig(ExchangeConfig exchange, List<String> roles, List<Rule> rules) {

  public LiveConfig {
    roles = List.copyOf(roles);
    rules = List.copyOf(rules);
  }

  /** Without rules. */
  public LiveConfig(ExchangeConfig exchange, List<String> roles) {
    this(exchange, roles, List.of());
  }
}
