package io.sluice.usage;

import org.jspecify.annotations.Nullable;

/**
 * A statement of one role with its cost, at one moment.
 *
 * @param digest the hash of its text without literals
 * @param role the role; empty for {@link #isOthers}
 * @param text its text without literals, truncated when it is long
 * @param keyspace the keyspace of its table; null when it names none
 * @param table its table; null when it names none
 * @param shape its shape, in lower case
 * @param cost the cost of all calls so far
 */
public record StatementFacts(
    long digest,
    String role,
    String text,
    @Nullable String keyspace,
    @Nullable String table,
    String shape,
    Cost cost) {

  /** Creates the facts of all statements that are not kept individually. */
  static StatementFacts others(Cost cost) {
    return new StatementFacts(0, "", "", null, null, "", cost);
  }

  /** Whether this stands for all statements that are not kept individually. */
  public boolean isOthers() {
    return role.isEmpty();
  }
}
