package io.sluice.exchange;

import io.sluice.time.Lane;
import io.sluice.time.OnLanes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All requests in flight. Each lane has its own linked list, so that a request takes no lock and
 * allocates nothing here. Safe for any thread.
 */
public final class RunningRequests {

  private final ConcurrentHashMap<Lane, OnLane> byLane = new ConcurrentHashMap<>();
  private final AtomicInteger lanes = new AtomicInteger();

  /** The requests of one lane, used on that lane only. */
  static final class OnLane {

    /** The bound of the lanes' numbers, and the step between two numbers of a lane's requests. */
    private static final int MAX_LANES = 1 << 12;

    private final Lane lane;
    private long nextId;
    private @Nullable Exchange newest;

    private OnLane(Lane lane, int number) {
      this.lane = lane;
      this.nextId = (long) MAX_LANES + number;
    }

    /** Adds a request that starts and returns its number. */
    long add(Exchange exchange) {
      Exchange before = newest;
      exchange.older = before;
      if (before != null) {
        before.newer = exchange;
      }
      newest = exchange;
      long id = nextId;
      nextId += MAX_LANES;
      return id;
    }

    /** Removes a request that has ended. */
    void remove(Exchange exchange) {
      Exchange older = exchange.older;
      Exchange newer = exchange.newer;
      if (older != null) {
        older.newer = newer;
      }
      if (newer != null) {
        newer.older = older;
      } else {
        newest = older;
      }
      exchange.older = null;
      exchange.newer = null;
    }

    private List<RequestFacts> facts() {
      List<RequestFacts> facts = new ArrayList<>();
      for (Exchange each = newest; each != null; each = each.older) {
        facts.add(each.describe());
      }
      return facts;
    }

    private int end(Collection<Long> ids, String reason) {
      List<Exchange> ended = new ArrayList<>();
      for (Exchange each = newest; each != null; each = each.older) {
        if (ids.contains(each.id())) {
          ended.add(each);
        }
      }
      ended.forEach(each -> each.end(reason));
      return ended.size();
    }
  }

  OnLane of(Lane lane) {
    OnLane known = byLane.get(lane);
    return known != null
        ? known
        : byLane.computeIfAbsent(lane, each -> new OnLane(each, lanes.getAndIncrement()));
  }

  /**
   * Collects snapshots of all requests, each on its own lane.
   *
   * @param to the lane on which {@code then} is called, once
   */
  public void facts(Lane to, Consumer<List<RequestFacts>> then) {
    OnLanes.<OnLane, List<RequestFacts>>collect(
        byLane.values(),
        each -> each.lane,
        OnLane::facts,
        to,
        all -> then.accept(all.stream().flatMap(List::stream).toList()));
  }

  /**
   * Ends requests. Their places in queues and their slots are given back at once, and each client
   * gets an error. A request that is answered meanwhile is not affected.
   *
   * @param reason the message of the error
   * @param to the lane on which {@code then} is called, once, with the number of ended requests
   */
  public void end(Collection<Long> ids, String reason, Lane to, Consumer<Integer> then) {
    OnLanes.<OnLane, Integer>collect(
        byLane.values(),
        each -> each.lane,
        each -> each.end(ids, reason),
        to,
        all -> then.accept(all.stream().mapToInt(Integer::intValue).sum()));
  }
}
