package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.time.Lane;
import io.sluice.time.OnLanes;
import java.net.InetSocketAddress;
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
    private @Nullable RunningRequest newest;

    private OnLane(Lane lane, int number) {
      this.lane = lane;
      this.nextId = (long) MAX_LANES + number;
    }

    /** Adds a request that starts, and numbers it. */
    void add(RunningRequest request) {
      RunningRequest before = newest;
      request.older = before;
      if (before != null) {
        before.newer = request;
      }
      newest = request;
      request.id = nextId;
      nextId += MAX_LANES;
    }

    /** Removes a request that has ended. */
    void remove(RunningRequest request) {
      RunningRequest older = request.older;
      RunningRequest newer = request.newer;
      if (older != null) {
        older.newer = newer;
      }
      if (newer != null) {
        newer.older = older;
      } else {
        newest = older;
      }
      request.older = null;
      request.newer = null;
    }

    private List<RequestFacts> facts() {
      List<RequestFacts> facts = new ArrayList<>();
      for (RunningRequest each = newest; each != null; each = each.older) {
        facts.add(each.describe());
      }
      return facts;
    }

    private int end(Collection<Long> ids, String reason) {
      List<RunningRequest> ended = new ArrayList<>();
      for (RunningRequest each = newest; each != null; each = each.older) {
        if (ids.contains(each.id)) {
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

  /**
   * A snapshot of a request in flight.
   *
   * @param id its number; no other request of this process has it
   * @param caller the client that sent it
   * @param keyspace the keyspace of its table; null when the statement names none
   * @param table its table; null when the statement names none
   * @param shape the shape of its statement, in lower case
   * @param nanos time since its arrival
   * @param waitedNanos the part of {@code nanos} before the request, or the first of its pieces,
   *     was sent
   * @param progress its progress
   */
  public record RequestFacts(
      long id,
      Caller caller,
      @Nullable String keyspace,
      @Nullable String table,
      String shape,
      long nanos,
      long waitedNanos,
      Progress progress) {

    /**
     * The client of a request.
     *
     * @param number of its connection
     * @param role the role that logged in
     * @param application the application name that its driver sends; null when it sends none
     */
    public record Caller(
        long number, InetSocketAddress address, String role, @Nullable String application) {

      static Caller of(Client client) {
        return new Caller(
            client.id(), client.address(), client.identity().role(), client.driver().application());
      }
    }

    /**
     * Estimates the time until the answer from the pace so far and the share of the work that is
     * left.
     *
     * @return nanoseconds, or -1 when unknown
     */
    public long leftNanos() {
      double left = progress.left();
      long reading = nanos - waitedNanos;
      return left > 0 && left < 1 ? Math.round(reading * left / (1 - left)) : -1;
    }

    /**
     * The progress of a request.
     *
     * @param state whether it waits
     * @param piecesDone pieces that have ended
     * @param pieces pieces that the read was cut into so far; 0 for a request that goes to one node
     *     whole
     * @param rows that nodes have returned
     * @param wanted rows that the page should have; below 0 for all, or when unknown
     * @param left the estimated share of its rows that nodes have yet to read, 0 to 1; 1 when
     *     unknown
     */
    public record Progress(
        State state, int piecesDone, int pieces, long rows, int wanted, double left) {

      /** The state of a request. */
      public enum State {
        /** It waits for a slot, or for a limit of its rule. */
        QUEUED,

        /** A read that was sent to a node. */
        READING,

        /** Any other request that was sent to a node. */
        SENT;

        /** Returns the state of a read. */
        public static State ofRead(boolean isSent) {
          return isSent ? READING : QUEUED;
        }
      }

      static final Progress SENT = whole(State.SENT);

      /** Returns the progress of a request that goes to one node whole. */
      public static Progress whole(State state) {
        return new Progress(state, 0, 0, 0, -1, 1);
      }
    }
  }
}
