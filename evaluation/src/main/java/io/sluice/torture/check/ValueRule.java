package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Read;
import io.sluice.torture.check.Operation.Row;
import io.sluice.torture.check.Operation.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The rule for values that a read or page shows. The value was written, by a write sent before the
 * read ended. The value is not older than the last write acknowledged before the read began. Nor is
 * it older than a value from a read that ended before this one began. A read of one replica may be
 * as old as the first write.
 */
final class ValueRule {
  private final Writes writes;

  ValueRule(Writes writes) {
    this.writes = writes;
  }

  /** A value shown for a key. */
  private record Shown(Operation by, Level level, long value) {
    long begin() {
      return by.call().begin();
    }

    long end() {
      return by.call().end();
    }
  }

  /** A shown value with its position among the writes. */
  private record Placed(Shown shown, int position) {}

  List<Violation> check(History history) {
    Map<Long, List<Shown>> byKey = new HashMap<>();
    for (Read read : history.all(Read.class)) {
      if (read.call().acknowledged()) {
        byKey
            .computeIfAbsent(read.key(), k -> new ArrayList<>())
            .add(new Shown(read, read.level(), read.value()));
      }
    }
    Map<Long, Level> levels = new HashMap<>();
    history.scans().forEach(scan -> levels.put(scan.number(), scan.level()));
    for (Page page : history.all(Page.class)) {
      Level level = levels.getOrDefault(page.scan(), Level.ONE);
      for (Row row : page.rows()) {
        byKey
            .computeIfAbsent(row.key(), k -> new ArrayList<>())
            .add(new Shown(page, level, row.value()));
      }
    }
    List<Violation> violations = new ArrayList<>();
    byKey.forEach((key, shown) -> check(key, shown, violations));
    return violations;
  }

  private void check(long key, List<Shown> all, List<Violation> violations) {
    PriorityQueue<Placed> open =
        new PriorityQueue<>(Comparator.comparingLong(placed -> placed.shown().end()));
    Placed newest = null;
    for (Shown each : all.stream().sorted(Comparator.comparingLong(Shown::begin)).toList()) {
      while (!open.isEmpty() && open.element().shown().end() < each.begin()) {
        Placed ended = open.remove();
        newest = newest == null || ended.position() > newest.position() ? ended : newest;
      }
      int acknowledged = writes.visibleBefore(key, each.begin(), each.level());
      int seen = newest == null || each.level() == Level.ONE ? Writes.NONE : newest.position();
      int position = position(key, each, Math.max(acknowledged, seen));
      if (position != Writes.NONE || isUnwritten(each, acknowledged, seen)) {
        if (each.level() == Level.QUORUM) {
          open.add(new Placed(each, position));
        }
      } else if (acknowledged >= seen) {
        violations.add(wrong(key, each, acknowledged));
      } else if (newest != null) {
        violations.add(
            violation(key, each, "a read goes back", List.of(newest.shown().by(), each.by())));
      }
    }
  }

  private int position(long key, Shown shown, int from) {
    int position = writes.position(key, shown.value(), from);
    return position != Writes.NONE && writes.of(key).get(position).call().begin() <= shown.end()
        ? position
        : Writes.NONE;
  }

  /**
   * Whether the value is that of a missing row, and no write to the row is known to have happened.
   */
  private static boolean isUnwritten(Shown shown, int acknowledged, int seen) {
    return shown.value() == Operation.ABSENT && Math.max(acknowledged, seen) == Writes.NONE;
  }

  private Violation wrong(long key, Shown shown, int acknowledged) {
    int written = writes.position(key, shown.value(), 0);
    if (written > acknowledged) {
      Write later = writes.of(key).get(written);
      return violation(key, shown, "a value is read that comes later", List.of(shown.by(), later));
    }
    if (acknowledged == Writes.NONE
        || (written == Writes.NONE && shown.value() != Operation.ABSENT)) {
      return violation(key, shown, "a value that was never written", List.of(shown.by()));
    }
    Write last = writes.of(key).get(acknowledged);
    return violation(key, shown, "an acknowledged write is not read", List.of(last, shown.by()));
  }

  private static Violation violation(long key, Shown shown, String what, List<Operation> evidence) {
    return new Violation(
        Violation.Rule.VALUES, what + ": key " + key + ", value " + shown.value(), evidence);
  }
}
