package io.sluice.decide.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue in the order of (key, sequence, piece number), lowest first: a 4-ary implicit
 * heap over primitive arrays. {@link #add} returns a handle, valid until the item leaves, to move
 * the item forward or remove it at any place. Allocates only to grow. Not safe for several threads.
 *
 * @param <T> the type of the items
 */
final class RunQueue<T> {
  private static final int WAYS = 4;
  private static final int INITIAL = 16;

  private int size;
  // By place in the heap.
  private long[] keys = new long[INITIAL];
  private int[] handles = new int[INITIAL];
  // By handle. Free handles form a list through places.
  private int[] places = new int[INITIAL];
  private long[] sequences = new long[INITIAL];
  private int[] pieceNumbers = new int[INITIAL];
  private @Nullable Object[] items = new @Nullable Object[INITIAL];
  private int firstFree;

  RunQueue() {
    freeFrom(0);
  }

  /** Returns the number of queued items. */
  int size() {
    return size;
  }

  /** Whether nothing is queued. */
  boolean isEmpty() {
    return size == 0;
  }

  /** Queues {@code item} and returns its handle. */
  int add(T item, long key, long sequence, int pieceNumber) {
    if (size == keys.length) {
      grow();
    }
    int handle = firstFree;
    firstFree = places[handle];
    items[handle] = item;
    sequences[handle] = sequence;
    pieceNumbers[handle] = pieceNumber;
    rise(size++, key, handle);
    return handle;
  }

  /** Returns the first item; only while something is queued. */
  T head() {
    return item(handles[0]);
  }

  /** Removes and returns the first item; only while something is queued. */
  T poll() {
    return remove(handles[0]);
  }

  /** Returns the current key of an item. */
  long key(int handle) {
    return keys[places[handle]];
  }

  /** Moves a queued item forward. A key above its current one changes nothing. */
  void decrease(int handle, long key) {
    int place = places[handle];
    if (key < keys[place]) {
      rise(place, key, handle);
    }
  }

  /** Removes a queued item. */
  T remove(int handle) {
    T item = item(handle);
    int place = places[handle];
    items[handle] = null;
    places[handle] = firstFree;
    firstFree = handle;
    size--;
    if (place < size) {
      long lastKey = keys[size];
      int last = handles[size];
      if (place > 0 && precedes(lastKey, last, (place - 1) / WAYS)) {
        rise(place, lastKey, last);
      } else {
        sink(place, lastKey, last);
      }
    }
    return item;
  }

  private void rise(int from, long key, int handle) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / WAYS;
      if (!precedes(key, handle, parent)) {
        break;
      }
      put(place, keys[parent], handles[parent]);
      place = parent;
    }
    put(place, key, handle);
  }

  private void sink(int from, long key, int handle) {
    int place = from;
    int child = WAYS * place + 1;
    while (child < size) {
      int least = leastChild(child);
      if (precedes(key, handle, least)) {
        break;
      }
      put(place, keys[least], handles[least]);
      place = least;
      child = WAYS * place + 1;
    }
    put(place, key, handle);
  }

  private int leastChild(int first) {
    int least = first;
    int end = Math.min(first + WAYS, size);
    for (int child = first + 1; child < end; child++) {
      if (keys[child] <= keys[least] && precedes(keys[child], handles[child], least)) {
        least = child;
      }
    }
    return least;
  }

  private boolean precedes(long key, int handle, int place) {
    long other = keys[place];
    return key != other ? key < other : tiePrecedes(handle, handles[place]);
  }

  private boolean tiePrecedes(int handle, int other) {
    int order = Long.compare(sequences[handle], sequences[other]);
    return order != 0 ? order < 0 : pieceNumbers[handle] < pieceNumbers[other];
  }

  private void put(int place, long key, int handle) {
    keys[place] = key;
    handles[place] = handle;
    places[handle] = place;
  }

  @SuppressWarnings("unchecked") // Only add stores items.
  private T item(int handle) {
    Object item = items[handle];
    if (item == null) {
      throw new IllegalStateException("nothing is queued under handle " + handle);
    }
    return (T) item;
  }

  private void grow() {
    int before = keys.length;
    int length = before * 2;
    keys = Arrays.copyOf(keys, length);
    handles = Arrays.copyOf(handles, length);
    places = Arrays.copyOf(places, length);
    sequences = Arrays.copyOf(sequences, length);
    pieceNumbers = Arrays.copyOf(pieceNumbers, length);
    items = Arrays.copyOf(items, length);
    freeFrom(before);
  }

  private void freeFrom(int first) {
    for (int handle = first; handle < places.length; handle++) {
      places[handle] = handle + 1;
    }
    firstFree = first;
  }
}
