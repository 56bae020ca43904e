package io.sluice.agent.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of one priority, oldest first. Any ticket can be removed. Not safe for several
 * threads.
 */
final class ArrivalList {
  private @Nullable Ticket oldest;
  private @Nullable Ticket youngest;
  private int size;

  @Nullable Ticket oldest() {
    return oldest;
  }

  int size() {
    return size;
  }

  void addTo(List<Ticket> all) {
    for (Ticket each = oldest; each != null; each = each.younger) {
      all.add(each);
    }
  }

  void add(Ticket ticket) {
    Ticket last = youngest;
    ticket.older = last;
    if (last == null) {
      oldest = ticket;
    } else {
      last.younger = ticket;
    }
    youngest = ticket;
    size++;
  }

  void remove(Ticket ticket) {
    Ticket before = ticket.older;
    Ticket after = ticket.younger;
    if (before == null) {
      oldest = after;
    } else {
      before.younger = after;
    }
    if (after == null) {
      youngest = before;
    } else {
      after.older = before;
    }
    ticket.older = null;
    ticket.younger = null;
    size--;
  }
}
