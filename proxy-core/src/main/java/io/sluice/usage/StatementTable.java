package io.sluice.usage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The statements that one lane keeps: a limited number, those that are used most by calls and by
 * time. When the table is full, a new statement replaces the least used one only if it has been
 * used more. So any number of texts that are used once evict none. A role that holds half of all
 * places competes with itself only. All other statements are counted together. Not safe for several
 * threads.
 */
final class StatementTable {

  /** A call of 2 to the power of this many ns (about 1 ms) counts twice. */
  private static final int LONG_CALL_BITS = 20;

  /** Maximum weight of one call, so that one slow call does not outweigh a busy statement. */
  private static final int MAX_WEIGHT = 64;

  /** After this time, past use counts half. */
  private static final long HALF_LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final int capacity;
  private final Map<Entry.Key, Entry> entries = new HashMap<>();
  private final Map<String, Integer> byRole = new HashMap<>();
  private final Entry.Key lookupKey = new Entry.Key(0, "");
  private final Frequencies candidates = new Frequencies();
  private final Cost others = new Cost();

  /** A lower bound of the weight of all entries. */
  private long leastWeight;

  private long agedNanos;

  /**
   * Creates an empty table.
   *
   * @param capacity maximum number of statements
   * @param now the time, in ns
   */
  StatementTable(int capacity, long now) {
    this.capacity = capacity;
    this.agedNanos = now;
  }

  /**
   * Returns the entry of a statement, to whose cost the caller adds the call.
   *
   * @param took how long the call took, in ns
   * @param now the time, in ns
   * @return null when the statement is not kept
   */
  @Nullable Entry find(long digest, String role, long took, long now) {
    if (now - agedNanos > HALF_LIFE_NANOS) {
      age(now);
    }
    lookupKey.digest = digest;
    lookupKey.role = role;
    Entry known = entries.get(lookupKey);
    if (known == null) {
      return null;
    }
    known.weight += weight(took);
    return known;
  }

  /**
   * Adds the use of a statement that is not kept, and keeps it if it is used enough.
   *
   * @param named called when it is kept from now on
   * @return null when it is still not kept
   */
  @Nullable Entry enter(long digest, String role, long took, Supplier<StatementFacts> named) {
    Entry.Key key = new Entry.Key(digest, role);
    long weight = place(key, weight(took));
    return weight < 0 ? null : add(key, named.get(), weight);
  }

  private static int weight(long took) {
    return (int) Math.min(MAX_WEIGHT, 1 + (Math.max(0, took) >>> LONG_CALL_BITS));
  }

  /** Makes room for a statement. Returns its weight, or a negative number when it gets no place. */
  private long place(Entry.Key key, int weight) {
    if (entries.size() < capacity) {
      return weight;
    }
    int seen = capacity == 0 ? 0 : candidates.add(key.hash(), weight);
    if (seen <= leastWeight) {
      return -1;
    }
    int held = byRole.getOrDefault(key.role, 0);
    boolean ownOnly = held * 2 >= capacity && held < capacity;
    Entry least = least(ownOnly ? key.role : null);
    if (!ownOnly && least != null) {
      leastWeight = least.weight;
    }
    if (least == null || seen <= least.weight) {
      return -1;
    }
    remove(least);
    return seen;
  }

  private @Nullable Entry least(@Nullable String role) {
    Entry least = null;
    for (Entry each : entries.values()) {
      boolean counts = role == null || each.key.role.equals(role);
      if (counts && (least == null || each.weight < least.weight)) {
        least = each;
      }
    }
    return least;
  }

  private void remove(Entry entry) {
    entries.remove(entry.key);
    byRole.computeIfPresent(entry.key.role, (role, count) -> count == 1 ? null : count - 1);
    others.add(entry.cost);
  }

  private Entry add(Entry.Key key, StatementFacts named, long weight) {
    Entry entry = new Entry(key, named, weight);
    leastWeight = Math.min(leastWeight, weight);
    entries.put(key, entry);
    byRole.merge(key.role, 1, Integer::sum);
    return entry;
  }

  private void age(long now) {
    agedNanos = now;
    leastWeight = 0;
    entries.values().forEach(each -> each.weight /= 2);
  }

  /** Returns the cost of all statements that are not kept. */
  Cost others() {
    return others;
  }

  List<StatementFacts> facts() {
    List<StatementFacts> facts = new ArrayList<>(entries.size() + 1);
    entries.values().forEach(each -> facts.add(each.facts()));
    if (others.calls() > 0) {
      facts.add(StatementFacts.others(others.copy()));
    }
    return facts;
  }
}
