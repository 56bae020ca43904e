package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The writes to every key, in the order of the key's one client, which is the order of their
 * timestamps. A position is the index of a write in its key's order; {@link #NONE} is the time
 * before the first. Immutable.
 */
final class Writes {
  /** No write, or no such position. */
  static final int NONE = -1;

  private final Map<Long, List<Write>> byKey;

  private Writes(Map<Long, List<Write>> byKey) {
    this.byKey = byKey;
  }

  static Writes in(History history) {
    Map<Long, List<Write>> byKey = new HashMap<>();
    for (Write each : history.all(Write.class)) {
      byKey.computeIfAbsent(each.key(), key -> new ArrayList<>()).add(each);
    }
    return new Writes(byKey);
  }

  /** Returns the writes to a key. */
  List<Write> of(long key) {
    return byKey.getOrDefault(key, List.of());
  }

  /** Returns the position of the last write that was acknowledged before this time. */
  int acknowledgedBefore(long key, long time) {
    List<Write> writes = of(key);
    for (int i = writes.size() - 1; i >= 0; i--) {
      Call call = writes.get(i).call();
      if (call.acknowledged() && call.end() < time) {
        return i;
      }
    }
    return NONE;
  }

  /**
   * Returns the position of the newest write that a read of this level must show if it begins at
   * this time. At QUORUM, that is the last acknowledged write; at ONE, the first write, which all
   * replicas have.
   */
  int visibleBefore(long key, long time, Level level) {
    int acknowledged = acknowledgedBefore(key, time);
    return level == Level.QUORUM ? acknowledged : Math.min(acknowledged, 0);
  }

  /** Returns the position of the first write of a value, starting at a position. */
  int position(long key, long value, int from) {
    List<Write> writes = of(key);
    for (int i = Math.max(0, from); i < writes.size(); i++) {
      if (writes.get(i).value() == value) {
        return i;
      }
    }
    return NONE;
  }

  /** Whether the row exists throughout, in whatever order the open writes take effect. */
  boolean existsThroughout(long key, Level level, long begin, long end) {
    List<Write> writes = of(key);
    int first = visibleBefore(key, begin, level);
    if (first == NONE) {
      return false;
    }
    for (int i = first; i < writes.size() && writes.get(i).call().begin() <= end; i++) {
      if (writes.get(i).value() == Operation.ABSENT) {
        return false;
      }
    }
    return true;
  }
}
