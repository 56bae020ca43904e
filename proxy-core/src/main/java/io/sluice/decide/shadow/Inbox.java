package io.sluice.decide.shadow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of notes for another thread. Adding a note takes one compare-and-set and no lock.
 * Safe for any thread.
 */
final class Inbox {

  /** Largest number of queued notes; further ones are lost. */
  static final int MAX = 1 << 16;

  private final AtomicReference<@Nullable Note> newest = new AtomicReference<>();
  private final LongAdder lost = new LongAdder();

  /** An event with its time. */
  abstract static class Note {
    private final long at;
    private @Nullable Note older;
    private int place;

    /** Creates a note of an event at {@code at}, ns. */
    Note(long at) {
      this.at = at;
    }

    final long at() {
      return at;
    }

    /** Whether the note may be dropped from a full queue. */
    boolean mayBeLost() {
      return true;
    }

    /** Applies the event to the shadow's world. */
    abstract void happen();
  }

  void add(Note note) {
    Note before = newest.get();
    while (before == null || before.place < MAX || !note.mayBeLost()) {
      note.older = before;
      note.place = before == null ? 1 : before.place + 1;
      if (newest.compareAndSet(before, note)) {
        return;
      }
      before = newest.get();
    }
    lost.increment();
  }

  /**
   * Removes all notes and returns them in the order of their times; those with equal times in the
   * order of their addition.
   */
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
    // Nearly sorted already: threads take the time just before they add the note.
    all.sort((one, other) -> Long.compare(one.at, other.at));
    return all;
  }

  /** Returns how many notes were lost because too many were queued. */
  long lost() {
    return lost.sum();
  }
}
