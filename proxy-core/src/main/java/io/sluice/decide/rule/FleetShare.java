package io.sluice.decide.rule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * This proxy's part of one limit that holds for all proxies together. Each says with its heartbeats
 * how much it asks for and how much it holds; all find the same parts of the limit for what they
 * have read. A part is lowered at once. It is raised only as far as no other proxy holds what is
 * asked for, in a read that shows that the others can see it: of two that take the same, the one
 * that said so last sees the other. So what proxies hold is never more than the limit, but for the
 * little that each may use in any case. Pure. Not safe for several threads.
 */
final class FleetShare {

  /** What each may use in any case, of its part in equal shares; of whole numbers one. */
  private static final double FLOOR = 0.1;

  /** A part is not raised for less than this, of the part in equal shares. */
  private static final double WORTH = 0.05;

  /** Less is no demand, for which no whole number is kept. */
  private static final double LEAST = 0.05;

  private static final double ROUNDING = 1e-6;

  /** Heartbeats that were not read back; older ones count as one. */
  private static final int MOST_UNREAD = 16;

  /**
   * What a proxy says of a limit.
   *
   * @param demand what it would use, at least 0
   * @param held what it may use until it says something else, at least 0
   */
  record Said(double demand, double held) {}

  /**
   * What was read of the others that have the limit.
   *
   * @param place of this proxy among those in {@code others}, by an order that is the same for all
   * @param others what the others say, in that order
   */
  record Seen(int place, List<Said> others) {
    Seen {
      others = List.copyOf(others);
    }
  }

  private record Beat(long number, Said said) {}

  private final boolean whole;
  private double limit;
  private double wanted;
  private double allowed;
  private double floor;
  private final Deque<Beat> unread = new ArrayDeque<>();

  /**
   * Nothing is known of other proxies.
   *
   * @param whole whether only whole numbers can be used
   */
  FleetShare(double limit, boolean whole) {
    this.limit = limit;
    this.whole = whole;
    this.floor = floor(1);
    this.allowed = floor;
    this.wanted = floor;
  }

  void limit(double next) {
    if (next != limit) {
      limit = next;
      allowed = Math.min(allowed, next);
      wanted = Math.min(wanted, next);
    }
  }

  /** How much this proxy may use now. */
  double allowed() {
    return allowed;
  }

  /** The others cannot be seen: what they hold is not known, and a part in equal shares is used. */
  void alone(int members) {
    allowed = Math.max(allowed, whole ? Math.max(1, Math.floor(limit / members)) : limit / members);
    wanted = allowed;
  }

  /** What each of so many may use in any case. */
  private double floor(int proxies) {
    return whole ? Math.min(limit, 1) : limit * FLOOR / proxies;
  }

  /**
   * What to say with a heartbeat.
   *
   * @param demand what this proxy would use now
   * @param used what is in use, and cannot be given back; 0 of a rate
   */
  Said say(long beat, double demand, double used) {
    Said said = new Said(demand, Math.max(wanted, used));
    allowed = Math.min(allowed, Math.max(floor, said.held()));
    unread.addLast(new Beat(beat, said));
    if (unread.size() > MOST_UNREAD) {
      Beat first = unread.removeFirst();
      Beat second = unread.removeFirst();
      double least = Math.min(first.said().held(), second.said().held());
      unread.addFirst(new Beat(second.number(), new Said(second.said().demand(), least)));
    }
    return said;
  }

  /**
   * The others were read, together with this proxy's own heartbeat of that number.
   *
   * @param beat 0 when none of its own was there
   */
  void seen(long beat, Seen seen) {
    floor = floor(1 + seen.others().size());
    double confirmed = confirmed(beat);
    double others = seen.others().stream().mapToDouble(Said::held).sum();
    double demand = unread.isEmpty() ? 0 : unread.getFirst().said().demand();
    double target = target(demand, seen);
    double worth = whole ? 0 : WORTH * limit / (1 + seen.others().size());
    if (target < wanted || target > wanted + worth) {
      wanted = target;
    }
    allowed = Math.max(floor, Math.min(wanted, Math.min(confirmed, limit - others)));
    if (whole) {
      allowed = Math.floor(allowed);
    }
  }

  /** The least that any of the others can have read in this proxy's row, or may still read. */
  private double confirmed(long beat) {
    while (!unread.isEmpty() && unread.getFirst().number() < beat) {
      unread.removeFirst();
    }
    double least = beat == 0 || unread.isEmpty() ? 0 : Double.POSITIVE_INFINITY;
    for (Beat each : unread) {
      least = Math.min(least, each.said().held());
    }
    return least;
  }

  /** Each gets what it asks for, and the same of the rest; else in proportion to what it asks. */
  private double target(double own, Seen seen) {
    List<Double> demands = new ArrayList<>();
    seen.others().forEach(other -> demands.add(other.demand()));
    demands.add(seen.place(), own);
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
    // What whole numbers leave over goes to the first ones in their order.
    return kept(own) + Math.floor(part) + (seen.place() < Math.floor(left + ROUNDING) ? 1 : 0);
  }

  private double kept(double demand) {
    return whole && demand < LEAST ? 0 : floor;
  }

  private double above(double demand) {
    return Math.max(0, demand - kept(demand));
  }

  private double part(double demand, double sum, double movable, int proxies) {
    double above = above(demand);
    return sum <= movable ? above + (movable - sum) / proxies : movable * above / sum;
  }
}
