package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/**
 * The counts of requests and work of the roles that use most. A limited number of roles have their
 * own series, and all others share one. A role's series counts from the moment at which the role
 * gets it, so that no series ever falls. Counting allocates nothing and takes no lock. Safe for any
 * thread.
 */
final class RoleMeters {

  static final int SHOWN = 50;
  static final String OTHERS = "(others)";

  /** Maximum number of known roles. Further roles are counted as others and get no series. */
  private static final int MAX_ROLES = 1_000;

  /** The weight of a request beside the work of its reads, because a role may only write. */
  private static final long REQUEST_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

  /** A hidden role must use more than this factor times the use of a shown role to replace it. */
  private static final int REPLACING_FACTOR = 2;

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS = 1e9;

  private final MeterRegistry registry;
  private final Map<String, Use> byRole = new ConcurrentHashMap<>();
  private final Use others = new Use(OTHERS);

  /** The use of one role. Any thread may update the sums; {@link #rank} guards the rest. */
  private static final class Use {
    private final String role;
    private final LongAdder requests = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final List<Meter> meters = new ArrayList<>();
    private volatile boolean shown;
    private long requestsBefore;
    private long nanosBefore;
    private double seen;
    private double lately;

    Use(String role) {
      this.role = role;
    }

    double total() {
      return nanos.sum() + (double) requests.sum() * REQUEST_NANOS;
    }

    /** Updates the recent use. Older use counts half each time. */
    void look() {
      double now = total();
      lately = lately / 2 + now - seen;
      seen = now;
    }

    double lately() {
      return lately;
    }
  }

  RoleMeters(MeterRegistry registry) {
    this.registry = registry;
    show(others);
  }

  /** Counts an answered request of a role. */
  void answered(String role) {
    Use use = use(role);
    use.requests.increment();
    if (!use.shown) {
      others.requests.increment();
    }
  }

  /**
   * Adds the work that a node has done for a read of a role.
   *
   * @param micros the work; NaN when it is not known
   */
  void worked(String role, double micros) {
    long nanos = (long) (micros * NANOS_PER_MICRO);
    if (nanos > 0) {
      Use use = use(role);
      use.nanos.add(nanos);
      if (!use.shown) {
        others.nanos.add(nanos);
      }
    }
  }

  private Use use(String role) {
    Use known = byRole.get(role);
    return known == null ? enter(role) : known;
  }

  private Use enter(String role) {
    boolean full = byRole.size() >= MAX_ROLES || role.equals(OTHERS);
    return full ? others : byRole.computeIfAbsent(role, Use::new);
  }

  /** Gives series to the roles that use most. Called every few seconds. */
  synchronized void rank() {
    List<Use> hidden = new ArrayList<>();
    List<Use> shown = new ArrayList<>();
    for (Use use : byRole.values()) {
      use.look();
      (use.shown ? shown : hidden).add(use);
    }
    hidden.sort(Comparator.comparingDouble(Use::lately).reversed());
    shown.sort(Comparator.comparingDouble(Use::lately));
    int replaced = 0;
    for (Use use : hidden) {
      if (use.lately < 1) {
        byRole.remove(use.role, use);
      } else if (shown.size() < SHOWN) {
        shown.add(use);
        show(use);
      } else if (replaced < SHOWN && use.lately > REPLACING_FACTOR * shown.get(replaced).lately) {
        hide(shown.get(replaced));
        replaced++;
        show(use);
      }
    }
  }

  private void show(Use use) {
    use.requestsBefore = use.requests.sum();
    use.nanosBefore = use.nanos.sum();
    use.shown = true;
    use.meters.add(
        counter(
            "sluice.role.requests",
            "Answered requests of each of the roles that use most; (others) are all other roles",
            use,
            of -> (double) of.requests.sum() - of.requestsBefore));
    use.meters.add(
        counter(
            "sluice.role.work.seconds",
            "Work of nodes for the reads of each of the roles that use most, in time of a node"
                + " that is not busy; (others) are all other roles",
            use,
            of -> (of.nanos.sum() - of.nanosBefore) / NANOS));
  }

  private Meter counter(String name, String what, Use use, ToDoubleFunction<Use> count) {
    return FunctionCounter.builder(name, use, count)
        .description(what)
        .tag("role", use.role)
        .register(registry);
  }

  private void hide(Use use) {
    use.shown = false;
    use.meters.forEach(registry::remove);
    use.meters.clear();
  }
}
