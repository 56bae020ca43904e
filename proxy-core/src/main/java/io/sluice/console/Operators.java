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
 * The clients that may see everything and change it: those of the roles in {@code console.roles};
 * without these, Cassandra's superusers, and all clients of a cluster that asks for no login. Safe
 * for any thread.
 */
final class Operators {

  /** A role that is made a superuser, or is one no more, is known as such after this. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  private static final int MOST_KEPT = 1_000;

  private final ProxyContext context;
  private volatile Set<String> roles;
  private final Cache<Identity, Boolean> superusers;

  Operators(ProxyContext context, ConsoleConfig config) {
    this.context = context;
    this.roles = Set.copyOf(config.roles());
    this.superusers =
        Caffeine.newBuilder()
            .maximumSize(MOST_KEPT)
            .expireAfterWrite(KEPT)
            .ticker(context.clock()::nanoTime)
            .executor(Runnable::run)
            .build();
  }

  /** Changes {@code console.roles}. */
  void roles(List<String> next) {
    roles = Set.copyOf(next);
  }

  /**
   * Finds out whether a client is an operator; a node may have to be asked.
   *
   * @param then called once, on the client's lane
   * @param failed called instead when no node could be asked
   */
  void ask(Client client, Consumer<Boolean> then, Consumer<String> failed) {
    Identity identity = client.identity();
    Set<String> named = roles;
    if (!named.isEmpty()) {
      then.accept(named.contains(identity.role()));
    } else if (identity.equals(Identity.ANONYMOUS)) {
      then.accept(true);
    } else {
      Boolean known = superusers.getIfPresent(identity);
      if (known != null) {
        then.accept(known);
      } else {
        new SuperuserQuestion(context, client, answer -> learned(identity, answer, then), failed)
            .ask();
      }
    }
  }

  private void learned(Identity identity, boolean superuser, Consumer<Boolean> then) {
    superusers.put(identity, superuser);
    then.accept(superuser);
  }
}
