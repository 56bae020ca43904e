package io.sluice.usage;

import org.jspecify.annotations.Nullable;

/**
 * A statement, as one role has asked it, at one moment.
 *
 * @param digest the hash of its text without literals
 * @param role the role; empty for {@link #isOthers}
 * @param text its text without literals, cut where it is long
 * @param keyspace of its table; null when it names none
 * @param table its table; null when it names none
 * @param shape what it is, in lower case
 * @param cost of all calls so far
 */
public record StatementFacts(
    long digest,
    String role,
    String text,
    @Nullable String keyspace,
    @Nullable String table,
    String shape,
    Cost cost) {

  /** All statements that are not kept one by one. */
  static StatementFacts others(Cost cost) {
    return new StatementFacts(0, "", "", null, null, "", cost);
  }

  /** Whether it stands for all statements that are not kept one by one. */
  public boolean isOthers() {
    return role.isEmpty();
  }
}
