package io.sluice.console;

import io.sluice.exchange.ExchangeConfig;
import java.util.List;

/**
 * The settings of the proxy that may change while it runs.
 *
 * @param exchange those that a request is subject to, and the scheduler's
 * @param roles see {@link ConsoleConfig}
 */
public record LiveConfig(ExchangeConfig exchange, List<String> roles) {

  public LiveConfig {
    roles = List.copyOf(roles);
  }
}
