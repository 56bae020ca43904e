package io.sluice.console;

import io.sluice.audit.AuditConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.usage.SlowLogConfig;
import java.util.List;

/**
 * The settings of the proxy that may change while it runs.
 *
 * @param exchange those that a request is subject to, and the scheduler's
 * @param roles see {@link ConsoleConfig}
 * @param rules what is allowed to whom
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

  /** Without rules, slow log and audit log. */
  public LiveConfig(ExchangeConfig exchange, List<String> roles) {
    this(exchange, roles, List.of(), SlowLogConfig.off(), AuditConfig.off());
  }
}
