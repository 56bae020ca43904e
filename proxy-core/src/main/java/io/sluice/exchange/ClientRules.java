package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.ClientFacts;
import io.sluice.decide.rule.RuleSession;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.rule.Ruling;
import io.sluice.decide.rule.SessionFacts;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.statement.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules, as clients are subject to them. What holds for a client is noted with its
 * connection; all calls come on its lane. Safe for any thread.
 */
public final class ClientRules {

  private final ProxyContext context;

  public ClientRules(ProxyContext context) {
    this.context = context;
  }

  /**
   * A statement with what it is subject to. While nothing is held back, nothing is: in mode observe
   * it is counted only.
   */
  public Statement apply(Client client, Statement statement) {
    Rules rules = context.rules();
    if (rules.isEmpty() || statement.explained() || statement.prepares() != null) {
      return statement;
    }
    Mode mode = context.config().scheduling().mode();
    if (mode == Mode.PASSTHROUGH) {
      return statement;
    }
    Ruling ruling = rules.ruling(session(client), statement.shape());
    return ruling == null || mode != Mode.ENFORCE ? statement : statement.under(ruling);
  }

  /** The rule that a statement is subject to, in words; null when there is none. */
  public @Nullable String explain(Client client, Statement statement) {
    Rules rules = context.rules();
    return rules.isEmpty() ? null : rules.explain(session(client), statement.shape());
  }

  /** Counts a client that has proved who it is; the reason why it is not let in, or null. */
  @Nullable String connect(Client client) {
    boolean holds = context.config().scheduling().mode() == Mode.ENFORCE;
    return context.rules().isEmpty() || !holds ? null : context.rules().connect(session(client));
  }

  /** The connection is gone. */
  public void gone(Client client) {
    if (client.note() instanceof RuleSession session) {
      context.rules().disconnect(session);
    }
  }

  private RuleSession session(Client client) {
    if (client.note() instanceof RuleSession known) {
      return known;
    }
    ClientFacts.Driver driver = client.driver();
    RuleSession session =
        context
            .rules()
            .session(
                new SessionFacts(
                    client.identity().role(),
                    driver.application(),
                    driver.name(),
                    client.address().getAddress()));
    client.note(session);
    return session;
  }
}
