package io.sluice.console;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.accept.Client;
import io.sluice.exchange.ProxyContext;
import io.sluice.wire.Identity;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides which clients are operators, which may see and change everything. These are the clients
 * with roles in {@code console.roles}. Without such roles they are Cassandra's superusers, and all
 * clients of a cluster without logins. Safe for any thread.
 */
final class Operators {

  /**
   * Maximum age of what is known of a role: a change of its superuser status is noticed after this.
   */
  private static final Duration MAX_AGE = Duration.ofSeconds(10);

  private static final int MAX_IDENTITIES = 1_000;

  private final ProxyContext context;
  private volatile Set<String> roles;
  private final Cache<Identity, Boolean> superusers;

  Operators(ProxyContext context, ConsoleConfig config) {
    this.context = context;
    this.roles = Set.copyOf(config.roles());
    this.superusers =
        Caffeine.newBuilder()
            .maximumSize(MAX_IDENTITIES)
            .expireAfterWrite(MAX_AGE)
            .ticker(context.clock()::nanoTime)
            .executor(Runnable::run)
            .build();
  }

  /** Changes {@code console.roles}. */
  void roles(List<String> next) {
    roles = Set.copyOf(next);
  }

  /**
   * Finds out whether a client is an operator. This may need a query to a node.
   *
   * @param then called once, on the client's lane
   * @param failed called instead when no node has answered
   */
  void ask(Client client, Consumer<Boolean> then, Consumer<String> failed) {
    Identity identity = client.identity();
    Set<String> configured = roles;
    if (!configured.isEmpty()) {
      then.accept(configured.contains(identity.role()));
    } else if (identity.equals(Identity.ANONYMOUS)) {
      then.accept(true);
    } else {
      Boolean known = superusers.getIfPresent(identity);
      if (known != null) {
        then.accept(known);
      } else {
        new SuperuserQuestion(context, client, answer -> onAnswer(identity, answer, then), failed)
            .ask();
      }
    }
  }

  private void onAnswer(Identity identity, boolean superuser, Consumer<Boolean> then) {
    superusers.put(identity, superuser);
    then.accept(superuser);
  }
}
