package io.sluice.host.change;

import io.sluice.host.change.Ledger.Entry;
import io.sluice.host.tree.HostTree;
import io.sluice.host.tree.KernelValue;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Changes the settings of a host, and undoes the changes. Only one process at a time can hold the
 * lock. Safe for any thread: a signal's thread may undo while another thread is about to write.
 */
public final class Changes implements Closeable {
  private final Ledger ledger;
  private final HostTree tree;
  private final Closeable lock;
  private final Consumer<String> out;

  private Changes(Ledger ledger, Closeable lock, Consumer<String> out) {
    this.ledger = ledger;
    this.tree = ledger.tree();
    this.lock = lock;
    this.out = out;
  }

  /**
   * Takes the lock, and undoes the changes of a join that was killed.
   *
   * @param out gets a line for each value that is written
   * @throws IOException if another process holds the lock
   */
  public static Changes begin(HostTree tree, Consumer<String> out) throws IOException {
    Ledger ledger = new Ledger(tree);
    Changes changes = new Changes(ledger, tree.lock(Ledger.lockPath()), out);
    try {
      ledger.forgetEarlierBoots();
      changes.undoDeadJoins();
      return changes;
    } catch (IOException | RuntimeException | Error e) {
      changes.close();
      throw e;
    }
  }

  /** Undoes joins whose process has ended. It must have ended, because it held the lock. */
  private void undoDeadJoins() throws IOException {
    List<Entry> joins = undoable(List.of(Entry.Kind.JOIN));
    if (!joins.isEmpty()) {
      out.accept("a join was interrupted; restoring its settings first:");
      undoAll(joins);
    }
  }

  /**
   * Records the old values, and writes the new ones.
   *
   * @param wanted values by path, in the order in which to write them
   * @return the reasons for which the kernel refused values
   */
  public synchronized List<String> apply(Entry.Kind kind, Map<String, String> wanted)
      throws IOException {
    List<Change> changes = record(wanted);
    ledger.add(kind, changes);
    List<String> refused = new ArrayList<>();
    for (Change change : changes) {
      String after = change.after();
      if (after != null) {
        write(change, after).ifPresent(refused::add);
      }
    }
    return refused;
  }

  private List<Change> record(Map<String, String> wanted) throws IOException {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : wanted.entrySet()) {
      String before = tree.read(each.getKey()).map(KernelValue::of).orElse(null);
      if (before != null && !Change.fits(before)) {
        throw new IOException(each.getKey() + " has more than one value");
      }
      changes.put(each.getKey(), new Change(each.getKey(), before, each.getValue()));
    }
    for (String path : wanted.keySet()) {
      for (Change consequence : Consequences.of(tree, path)) {
        changes.putIfAbsent(consequence.path(), consequence);
      }
    }
    return List.copyOf(changes.values());
  }

  private Optional<String> write(Change change, String after) {
    try {
      tree.write(change.path(), after);
      String now = tree.read(change.path()).map(KernelValue::of).orElse("");
      String rounded = now.equals(after) ? "" : ", requested " + after;
      out.accept(change.path() + ": " + shown(change) + " -> " + now + rounded);
      return Optional.empty();
    } catch (IOException e) {
      out.accept(change.path() + ": " + shown(change) + " is not changed: " + e.getMessage());
      return Optional.ofNullable(e.getMessage());
    }
  }

  private static String shown(Change change) {
    String before = change.before();
    return before == null ? "(none)" : before;
  }

  /** Writes a further value of a setting, to be undone with those of this kind. */
  public synchronized void adjust(Entry.Kind kind, String path, String value) throws IOException {
    boolean recorded =
        ledger.entries().stream()
            .filter(entry -> entry.kind() == kind)
            .flatMap(entry -> entry.changes().stream())
            .anyMatch(change -> change.path().equals(path));
    if (recorded) {
      write(new Change(path, tree.read(path).map(KernelValue::of).orElse(null), value), value);
    } else {
      apply(kind, Map.of(path, value));
    }
  }

  /**
   * Undoes all records of some kinds, the newest first, except those below a newer record of
   * another kind that names one of their files.
   *
   * @return the reasons for which some files are not as before; their records are kept
   */
  public synchronized List<String> undo(List<Entry.Kind> kinds) throws IOException {
    return undoAll(undoable(kinds));
  }

  /** Returns the records of these kinds whose files no other record has changed since. */
  private List<Entry> undoable(List<Entry.Kind> kinds) throws IOException {
    List<Entry> found = new ArrayList<>();
    Set<String> others = new HashSet<>();
    for (Entry entry : newestFirst()) {
      if (kinds.contains(entry.kind()) && Collections.disjoint(entry.paths(), others)) {
        found.add(entry);
      } else {
        others.addAll(entry.paths());
      }
    }
    return found;
  }

  private List<Entry> newestFirst() throws IOException {
    List<Entry> entries = new ArrayList<>(ledger.entries());
    Collections.reverse(entries);
    return entries;
  }

  /**
   * Undoes records. A record is kept if one of its files is not as before, or if a newer record
   * that is kept names one of its files: the next undo then restores the value of the newer record
   * first, and must find the older one.
   */
  private List<String> undoAll(List<Entry> newestFirst) throws IOException {
    List<String> reasons = new ArrayList<>();
    Set<String> kept = new HashSet<>();
    for (Entry entry : newestFirst) {
      List<String> ofEntry = undo(entry);
      reasons.addAll(ofEntry);
      if (ofEntry.isEmpty() && Collections.disjoint(entry.paths(), kept)) {
        ledger.remove(entry);
      } else {
        kept.addAll(entry.paths());
      }
    }
    return reasons;
  }

  private List<String> undo(Entry entry) {
    for (Change change : entry.changes()) {
      String before = change.before();
      String now = shownNow(change.path());
      if (before != null && change.after() != null && !now.equals(before)) {
        out.accept(change.path() + ": " + now + " -> " + before);
      }
    }
    List<String> reasons = new Restoration(tree).run(entry.changes());
    reasons.forEach(reason -> out.accept("not undone: " + reason));
    return reasons;
  }

  private String shownNow(String path) {
    try {
      return tree.read(path).map(KernelValue::of).orElse("(none)");
    } catch (IOException e) {
      // Only for a line of the output: the value may be written all the same.
      return "(unreadable)";
    }
  }

  /** Releases the lock. Records are kept. */
  @Override
  public synchronized void close() throws IOException {
    lock.close();
  }
}
