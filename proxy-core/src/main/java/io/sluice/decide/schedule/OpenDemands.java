package io.sluice.decide.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sub-requests of one query that are submitted and neither started nor ended. Adding and
 * removing take constant time; one alone needs no array. Not safe for threads.
 */
final class OpenDemands {
  private static final int FEW = 4;
  private static final @Nullable Demand[] NONE = {};

  private @Nullable Demand first;
  private @Nullable Demand[] others = NONE;
  private int size;

  int size() {
    return size;
  }

  /** The one at a place from 0 to the size, exclusive. */
  @Nullable Demand get(int place) {
    return place == 0 ? first : others[place - 1];
  }

  void add(Demand demand) {
    if (size > others.length) {
      others = Arrays.copyOf(others, Math.max(FEW, 2 * others.length));
    }
    put(size++, demand);
  }

  /** The last takes the place of the one that goes; nothing happens when it is not there. */
  void remove(Demand demand) {
    int place = demand.place;
    if (place < size && get(place) == demand) {
      Demand last = get(--size);
      clear(size);
      if (last != null && last != demand) {
        put(place, last);
      }
    }
  }

  private void put(int place, Demand demand) {
    demand.place = place;
    if (place == 0) {
      first = demand;
    } else {
      others[place - 1] = demand;
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
