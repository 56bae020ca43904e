package io.sluice.decide.divide;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * This proxy's part of one limit that holds for all proxies together. With its heartbeats, each
 * proxy publishes its demand and what it holds. All compute the same parts from the same data. A
 * part is lowered at once. It is raised only by what no other proxy holds, in a read which shows
 * that the others can see the demand: of two proxies that take the same share, the one that wrote
 * last sees the other. What proxies hold together thus never exceeds the limit, except for the
 * small minimum of each. Pure. Not safe for several threads.
 */
public final class FleetShare {

  /**
   * Reads of the others' heartbeats after which a proxy has its part: one with its own row, one
   * with its demand, one more.
   */
  public static final int FIRST_LOOKS = 3;

  /** Minimum of each proxy, as a share of its equal part. With whole numbers the minimum is one. */
  private static final double FLOOR = 0.1;

  /** Smallest raise of a part, as a share of the equal part. */
  private static final double WORTH = 0.05;

  /** Smallest demand for which a whole number is reserved. */
  private static final double MIN = 0.05;

  private static final double ROUNDING = 1e-6;

  /** Number of own heartbeats not yet read back; older ones are merged. */
  private static final int MAX_UNREAD = 16;

  /**
   * The values that a proxy publishes for a limit.
   *
   * @param demand what it would use, at least 0
   * @param held what it may use until it publishes another value, at least 0
   */
  public record Published(double demand, double held) {}

  /**
   * The values of the other proxies that have the limit.
   *
   * @param place the place of this proxy among {@code others}, in an order that is the same for all
   * @param others the values of the others, in that order
   */
  public record OtherShares(int place, List<Published> others) {
    public OtherShares {
      others = List.copyOf(others);
    }
  }

  private record Beat(long number, Published published) {}

  private final boolean whole;
  private double limit;
  private double wanted;
  private double allowed;
  private double floor;
  private final Deque<Beat> unread = new ArrayDeque<>();

  /**
   * Creates a share that knows no other proxies.
   *
   * @param whole whether only whole numbers can be used
   */
  public FleetShare(double limit, boolean whole) {
    this.limit = limit;
    this.whole = whole;
    this.floor = floor(1);
    this.allowed = floor;
    this.wanted = floor;
  }

  /** Changes the limit. */
  public void limit(double next) {
    if (next != limit) {
      limit = next;
      allowed = Math.min(allowed, next);
      wanted = Math.min(wanted, next);
    }
  }

  /** Returns how much this proxy may use now. */
  public double allowed() {
    return allowed;
  }

  /**
   * Uses an equal part, because the other proxies cannot be reached and what they hold is unknown.
   */
  public void othersUnreachable(int members) {
    allowed = Math.max(allowed, whole ? Math.max(1, Math.floor(limit / members)) : limit / members);
    wanted = allowed;
  }

  /** Returns the minimum of each of {@code proxies} proxies. */
  private double floor(int proxies) {
    return whole ? Math.min(limit, 1) : limit * FLOOR / proxies;
  }

  /**
   * Returns the values to publish with a heartbeat.
   *
   * @param demand what this proxy would use now
   * @param used what is in use and cannot be given back; 0 for a rate
   */
  public Published publish(long beat, double demand, double used) {
    Published published = new Published(demand, Math.max(wanted, used));
    allowed = Math.min(allowed, Math.max(floor, published.held()));
    unread.addLast(new Beat(beat, published));
    if (unread.size() > MAX_UNREAD) {
      Beat first = unread.removeFirst();
      Beat second = unread.removeFirst();
      double least = Math.min(first.published().held(), second.published().held());
      unread.addFirst(new Beat(second.number(), new Published(second.published().demand(), least)));
    }
    return published;
  }

  /**
   * Takes over the values of the others, read together with this proxy's own heartbeat {@code
   * beat}.
   *
   * @param beat 0 if there was no own heartbeat
   */
  public void received(long beat, OtherShares received) {
    floor = floor(1 + received.others().size());
    double confirmed = confirmed(beat);
    double others = received.others().stream().mapToDouble(Published::held).sum();
    double demand = unread.isEmpty() ? 0 : unread.getFirst().published().demand();
    double target = target(demand, received);
    double worth = whole ? 0 : WORTH * limit / (1 + received.others().size());
    if (target < wanted || target > wanted + worth) {
      wanted = target;
    }
    allowed = Math.max(floor, Math.min(wanted, Math.min(confirmed, limit - others)));
    if (whole) {
      allowed = Math.floor(allowed);
    }
  }

  /**
   * Returns the smallest value held that any other proxy may have read, or may still read, in this
   * proxy's row.
   */
  private double confirmed(long beat) {
    while (!unread.isEmpty() && unread.getFirst().number() < beat) {
      unread.removeFirst();
    }
    double least = beat == 0 || unread.isEmpty() ? 0 : Double.POSITIVE_INFINITY;
    for (Beat each : unread) {
      least = Math.min(least, each.published().held());
    }
    return least;
  }

  /**
   * Returns this proxy's part. If the limit suffices, each proxy gets its demand and an equal part
   * of the rest. Otherwise parts are proportional to the demands.
   */
  private double target(double own, OtherShares received) {
    List<Double> demands = new ArrayList<>();
    received.others().forEach(other -> demands.add(other.demand()));
    demands.add(received.place(), own);
    double kept = 0;
    double sum = 0;
    for (double demand : demands) {
      kept += kept(demand);
      sum += above(demand);
    }
    double movable = Math.max(0, limit - kept);
    double part = part(own, sum, movable, demands.size());
    if (!whole) {
      return kept(own) + part;
    }
    double left = movable;
    for (double demand : demands) {
      left -= Math.floor(part(demand, sum, movable, demands.size()));
    }
    // The remainder after rounding down goes to the first proxies in the order.
    return kept(own) + Math.floor(part) + (received.place() < Math.floor(left + ROUNDING) ? 1 : 0);
  }

  private double kept(double demand) {
    return whole && demand < MIN ? 0 : floor;
  }

  private double above(double demand) {
    return Math.max(0, demand - kept(demand));
  }

  private double part(double demand, double sum, double movable, int proxies) {
    double above = above(demand);
    return sum <= movable ? above + (movable - sum) / proxies : movable * above / sum;
  }
}
