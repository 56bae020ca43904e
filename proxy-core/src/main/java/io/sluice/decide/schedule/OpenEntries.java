package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sub-requests of one query that are submitted and neither started nor ended. Adding and
 * removing take constant time. A single entry needs no array. Not safe for several threads.
 */
final class OpenEntries {

  /** An entry that knows its place in the list. */
  abstract static class Entry {

    private int place;

    /**
     * Removes the entry from its queue, and refuses it if a refusal is given; false if it is not
     * queued.
     */
    abstract boolean withdraw(@Nullable Refusal reason);

    /** Moves the entry, if it is queued, to its query's current place in the order. */
    abstract void moveForward();
  }

  private static final int FEW = 4;
  private static final @Nullable Entry[] NONE = {};

  private @Nullable Entry first;
  private @Nullable Entry[] others = NONE;
  private int size;

  int size() {
    return size;
  }

  /** Returns the entry at a place from 0 to the size, exclusive. */
  @Nullable Entry get(int place) {
    return place == 0 ? first : others[place - 1];
  }

  void add(Entry entry) {
    if (size > others.length) {
      others = Arrays.copyOf(others, Math.max(FEW, 2 * others.length));
    }
    put(size++, entry);
  }

  /** Removes an entry; the last entry takes its place. Does nothing if the entry is absent. */
  void remove(Entry entry) {
    int place = entry.place;
    if (place < size && get(place) == entry) {
      Entry last = get(--size);
      clear(size);
      if (last != null && last != entry) {
        put(place, last);
      }
    }
  }

  private void put(int place, Entry entry) {
    entry.place = place;
    if (place == 0) {
      first = entry;
    } else {
      others[place - 1] = entry;
    }
  }

  private void clear(int place) {
    if (place == 0) {
      first = null;
    } else {
      others[place - 1] = null;
    }
  }
}
