package io.sluice.console;

import io.sluice.audit.AuditConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.usage.SlowLogConfig;
import java.util.List;

/**
 * The settings of the proxy that can change while it runs.
 *
 * @param exchange the settings of requests and of the scheduler
 * @param roles see {@link ConsoleConfig}
 * @param rules the rules for requests
 * @param slowLog which statements are written to the slow log
 * @param audit which events are written to the audit log
 */
public record LiveConfig(
    ExchangeConfig exchange,
    List<String> roles,
    List<Rule> rules,
    SlowLogConfig slowLog,
    AuditConfig audit) {

  public LiveConfig {
    roles = List.copyOf(roles);
    rules = List.copyOf(rules);
  }

  /** Creates settings without rules, slow log and audit log. */
  public LiveConfig(ExchangeConfig exchange, List<String> roles) {
    this(exchange, roles, List.of(), SlowLogConfig.off(), AuditConfig.off());
  }
}
