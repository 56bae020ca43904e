package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.ClientFacts;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleSession;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.rule.Ruling;
import io.sluice.decide.rule.SessionFacts;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Applies the operator's rules to clients and their requests. The rules that apply to a client are
 * noted with its connection; all calls come on its lane. Safe for any thread.
 */
public final class ClientRules {

  /** The shortest wait of which a client is warned; longer than a response usually takes. */
  private static final long WARNED_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ProxyContext context;

  public ClientRules(ProxyContext context) {
    this.context = context;
  }

  /**
   * Returns the statement with its ruling and the priority that the request asks for. Changes
   * nothing unless the mode is enforce; in the mode observe, requests are only counted under their
   * rule. Of the ruling of an explained statement, only the data centre applies.
   */
  public Statement apply(ClientRequest request, Statement statement) {
    if (statement.explained()) {
      return explained(request.client(), statement);
    } else if (statement.prepares() != null) {
      return statement;
    }
    Mode mode = context.config().scheduling().mode();
    if (mode == Mode.PASSTHROUGH) {
      return statement;
    }
    Client client = request.client();
    Rules rules = context.rules();
    Ruling ruling = rules.isEmpty() ? null : rules.ruling(session(client), statement.classified());
    if (mode != Mode.ENFORCE) {
      return statement;
    }
    boolean reads = statement.isRead() || statement.isRangeRead();
    Priority asked = reads ? asked(request, statement) : null;
    if (asked != null) {
      return withPriority(client, statement, ruling, asked);
    }
    return ruling == null ? statement : under(ruling, statement);
  }

  /** Counts a request that is refused by the action of its rule. */
  public void refused(Client client, Statement statement, Ruling ruling) {
    context.meters().limited(ruling.rule(), Limit.ACTION, statement);
    context.rules().refused(session(client), statement.classified());
  }

  private Statement explained(Client client, Statement statement) {
    Rules rules = context.rules();
    if (rules.isEmpty() || context.config().scheduling().mode() != Mode.ENFORCE) {
      return statement;
    }
    Ruling ruling = rules.preview(session(client), statement.classified());
    return ruling == null ? statement : statement.under(ruling.onlyDatacenter());
  }

  /**
   * Returns the priority of the most specific hint: of the request, else of its text, else of its
   * connection. Null without a hint.
   */
  private static @Nullable Priority asked(ClientRequest request, Statement statement) {
    Priority asked = Priority.named(CqlRequest.payload(request.frame(), Priority.PAYLOAD_KEY));
    asked = asked == null ? Priority.ofComment(statement.cql()) : asked;
    return asked == null ? Priority.ofApplication(request.client().driver().application()) : asked;
  }

  private static Statement withPriority(
      Client client, Statement statement, @Nullable Ruling ruling, Priority asked) {
    return switch (asked) {
      case LOW -> under(ruling == null ? Ruling.LOW : ruling.low(), statement);
      case HIGH -> raised(client, statement, ruling);
      case NORMAL -> ruling == null ? statement : under(ruling, statement);
      case UNKNOWN ->
          (ruling == null ? statement : under(ruling, statement))
              .warned("Sluice does not know this priority: it may be low, normal or high");
    };
  }

  private static Statement raised(Client client, Statement statement, @Nullable Ruling ruling) {
    if (ruling == null || ruling.raise() == 0) {
      return (ruling == null ? statement : under(ruling, statement))
          .warned("No rule of Sluice lets this statement have priority=high (raise)");
    }
    return under(ruling.high(client.identity().role()), statement);
  }

  /** Adds the ruling, and its warning on the first page of a read only. */
  private static Statement under(Ruling ruling, Statement statement) {
    String warning = statement.continues() ? null : ruling.warning();
    Statement subject = statement.under(ruling);
    return warning == null ? subject : subject.warned(warning);
  }

  /**
   * Returns the warnings of an answer: those of the statement, and now and then the time that the
   * request has waited for the limits of its rule.
   */
  static List<String> warnings(Client client, Statement statement, long waitedNanos, long now) {
    Ruling ruling = statement.ruling();
    if (ruling == null || waitedNanos < WARNED_WAIT_NANOS || !tellsOfWait(client, now)) {
      return statement.warnings();
    }
    List<String> all = new ArrayList<>(statement.warnings());
    all.add(ruling.waited(waitedNanos));
    return all;
  }

  private static boolean tellsOfWait(Client client, long now) {
    return client.note() instanceof RuleSession session && session.tellsOfWait(now);
  }

  /** Describes the rule that a statement is subject to; null when there is none. */
  public @Nullable String explain(Client client, Statement statement) {
    Rules rules = context.rules();
    return rules.isEmpty() ? null : rules.explain(session(client), statement.classified());
  }

  /**
   * Counts a client that has logged in. Returns the reason why a rule refuses the client, or null.
   */
  @Nullable String connect(Client client) {
    // An earlier login on the connection, which a rule has refused, may have been of another role.
    RuleSession session = begin(client);
    // In any mode, and even without rules: a later one counts the connections that are open.
    if (context.config().scheduling().mode() != Mode.ENFORCE) {
      context.rules().keep(session);
      return null;
    }
    String refusal = context.rules().connect(session);
    if (refusal != null) {
      context.meters().limited(session.ruleOfConnection(), Limit.CONNECTIONS, null);
    }
    return refusal;
  }

  /** Stops counting a client whose connection has closed. */
  public void gone(Client client) {
    if (client.note() instanceof RuleSession session) {
      context.rules().disconnect(session);
    }
  }

  private RuleSession session(Client client) {
    return client.note() instanceof RuleSession known ? known : begin(client);
  }

  /** Notes a new session with the client's connection. */
  private RuleSession begin(Client client) {
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
