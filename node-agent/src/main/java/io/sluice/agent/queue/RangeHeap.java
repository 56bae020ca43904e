package io.sluice.agent.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The range reads by rank, narrowest first: a heap with four children for each node. Each ticket
 * knows its index, so that an overdue one can be removed from the middle. Not safe for several
 * threads.
 */
final class RangeHeap {
  private static final int ARITY = 4;

  private @Nullable Ticket[] heap = new Ticket[64];
  private int size;

  @Nullable Ticket first() {
    return size == 0 ? null : at(0);
  }

  void add(Ticket ticket) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    up(size++, ticket);
  }

  void remove(Ticket ticket) {
    int hole = ticket.heapIndex;
    ticket.heapIndex = -1;
    Ticket last = at(--size);
    heap[size] = null;
    if (last == ticket) {
      return;
    }
    if (hole > 0 && last.goesBefore(at((hole - 1) / ARITY))) {
      up(hole, last);
    } else {
      down(hole, last);
    }
  }

  private void up(int from, Ticket ticket) {
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) / ARITY;
      Ticket above = at(parent);
      if (!ticket.goesBefore(above)) {
        break;
      }
      put(hole, above);
      hole = parent;
    }
    put(hole, ticket);
  }

  private void down(int from, Ticket ticket) {
    int hole = from;
    for (int child = hole * ARITY + 1; child < size; child = hole * ARITY + 1) {
      int least = child;
      int end = Math.min(child + ARITY, size);
      for (int each = child + 1; each < end; each++) {
        if (at(each).goesBefore(at(least))) {
          least = each;
        }
      }
      if (!at(least).goesBefore(ticket)) {
        break;
      }
      put(hole, at(least));
      hole = least;
    }
    put(hole, ticket);
  }

  private void put(int index, Ticket ticket) {
    heap[index] = ticket;
    ticket.heapIndex = index;
  }

  private Ticket at(int index) {
    Ticket ticket = heap[index];
    if (ticket == null) {
      throw new IllegalStateException("no ticket at " + index + " of " + size);
    }
    return ticket;
  }
}
