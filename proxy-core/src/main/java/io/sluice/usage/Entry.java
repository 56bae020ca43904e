package io.sluice.usage;

import org.jspecify.annotations.Nullable;

/** A statement of one role whose cost is kept. Not safe for several threads. */
final class Entry {

  final Key key;
  final Cost cost = new Cost();
  private final StatementFacts named;

  /** The cost of its table; null until a node has answered it, and when it concerns no table. */
  @Nullable Cost table;

  /** The recent use, by calls and by time. */
  long weight;

  /** Creates an entry without calls. */
  Entry(Key key, StatementFacts named, long weight) {
    this.key = key;
    this.named = named;
    this.weight = weight;
  }

  StatementFacts facts() {
    return new StatementFacts(
        named.digest(),
        named.role(),
        named.text(),
        named.keyspace(),
        named.table(),
        named.shape(),
        cost.copy());
  }

  /** The statement and the role. A key that is in no map may be changed for another lookup. */
  static final class Key {
    long digest;
    String role;

    Key(long digest, String role) {
      this.digest = digest;
      this.role = role;
    }

    long hash() {
      return digest ^ ((long) role.hashCode() << Integer.SIZE);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && digest == that.digest && role.equals(that.role);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(digest) + role.hashCode();
    }
  }
}
