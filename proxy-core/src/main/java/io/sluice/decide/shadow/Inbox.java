package io.sluice.decide.shadow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Notes that wait to be looked at, a bounded number of them. Adding one takes one exchange of a
 * reference and no lock. Safe for any thread.
 */
final class Inbox {

  /** Notes that wait at most; those that come then are lost. */
  static final int MOST = 1 << 16;

  private final AtomicReference<@Nullable Note> newest = new AtomicReference<>();
  private final LongAdder lost = new LongAdder();

  /** Something that happened at a time. */
  abstract static class Note {
    private final long at;
    private @Nullable Note older;
    private int place;

    /** Written down at {@code at}, ns. */
    Note(long at) {
      this.at = at;
    }

    final long at() {
      return at;
    }

    /** Whether it may be lost where too many wait. */
    boolean mayBeLost() {
      return true;
    }

    /** Makes it happen in the shadow's world. */
    abstract void happen();
  }

  void add(Note note) {
    Note before = newest.get();
    while (before == null || before.place < MOST || !note.mayBeLost()) {
      note.older = before;
      note.place = before == null ? 1 : before.place + 1;
      if (newest.compareAndSet(before, note)) {
        return;
      }
      before = newest.get();
    }
    lost.increment();
  }

  /** Takes all out, in the order of their times; those of one time as they were added. */
  List<Note> take() {
    List<Note> all = new ArrayList<>();
    Note next = newest.getAndSet(null);
    while (next != null) {
      all.add(next);
      Note older = next.older;
      next.older = null;
      next = older;
    }
    Collections.reverse(all);
    // Nearly sorted already: threads write their times down just before they add.
    all.sort((one, other) -> Long.compare(one.at, other.at));
    return all;
  }

  /** Notes that were lost because too many waited. */
  long lost() {
    return lost.sum();
  }
}
