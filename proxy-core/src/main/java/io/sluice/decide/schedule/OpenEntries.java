package io.sluice.decide.schedule;

import io.sluice.decide.Refusal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sub-requests of one query that are submitted and neither started nor ended. Adding and
 * removing take constant time; one alone needs no array. Not safe for several threads.
 */
final class OpenEntries {

  /** One of them. */
  abstract static class Entry {

    private int place;

    /** Takes it out of its queue, and refuses it if a refusal is given; false if not queued. */
    abstract boolean withdraw(@Nullable Refusal reason);

    /** Moves it to where its query stands now, if it is queued. */
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

  /** The one at a place from 0 to the size, exclusive. */
  @Nullable Entry get(int place) {
    return place == 0 ? first : others[place - 1];
  }

  void add(Entry entry) {
    if (size > others.length) {
      others = Arrays.copyOf(others, Math.max(FEW, 2 * others.length));
    }
    put(size++, entry);
  }

  /** The last takes the place of the one that goes; nothing happens when it is not there. */
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
