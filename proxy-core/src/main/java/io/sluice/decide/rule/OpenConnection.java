package io.sluice.decide.rule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.rule.Rule.Limit;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection, from its login to its end, as it counts under the first rule for it. Its
 * lane opens and closes it; a change of rules counts it again, from another thread. Safe for any
 * thread.
 */
final class OpenConnection {
  private final SessionFacts client;

  @GuardedBy("this")
  private boolean open;

  /** The use of the rule under which it counts; null without a rule. */
  @GuardedBy("this")
  private @Nullable RuleUse counted;

  /** Creates a connection that is not open yet. */
  OpenConnection(SessionFacts client) {
    this.client = client;
  }

  /** Opens and counts the connection. Returns the reason why it is refused, or null. */
  synchronized @Nullable String connect(RuleBook book) {
    CompiledRule rule = open ? null : book.first(client);
    if (rule == null) {
      open = true;
      return null;
    }
    Integer most = rule.rule().limits().connections();
    if (!rule.use().connect(most == null ? Integer.MAX_VALUE : most)) {
      rule.use().refused(Limit.CONNECTIONS);
      return rule.connectionRefusal();
    }
    open = true;
    counted = rule.use();
    return null;
  }

  /** Opens and counts the connection, even beyond the limit. */
  synchronized void keep(RuleBook book) {
    open = true;
    follow(book);
  }

  /** Counts the connection under other rules, even beyond the limit, if it is open. */
  synchronized void follow(RuleBook book) {
    CompiledRule rule = open ? book.first(client) : null;
    count(rule == null ? null : rule.use());
  }

  synchronized void disconnect() {
    open = false;
    count(null);
  }

  @GuardedBy("this")
  private void count(@Nullable RuleUse next) {
    RuleUse before = counted;
    if (next == before) {
      return;
    }
    counted = next;
    if (before != null) {
      before.disconnect();
    }
    if (next != null) {
      next.keep();
    }
  }
}
