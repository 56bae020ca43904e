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
 * The requests and the work of each role, for those that use most: so many have series of their
 * own, and all others share one. A role's series counts from the moment at which the role gets it,
 * so that none ever falls. To count allocates nothing and takes no lock. Safe for any thread.
 */
public final class RoleMeters {

  static final int SHOWN = 50;
  static final String OTHERS = "(others)";

  /** Further roles are counted together, and get no series as long as there are so many. */
  private static final int KNOWN = 1_000;

  /** What a request weighs beside the work of reads: a role may only write. */
  private static final long REQUEST_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

  /** A role has to use so much more than one that is shown to take its place. */
  private static final int MORE = 2;

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS = 1e9;

  private final MeterRegistry registry;
  private final Map<String, Use> byRole = new ConcurrentHashMap<>();
  private final Use others = new Use(OTHERS);

  /** The use of one role. The sums are for any thread; the rest is guarded by {@link #rank}. */
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

    /** Older use counts for half each time. */
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

  /** A request of this role was answered. */
  public void answered(String role) {
    Use use = use(role);
    use.requests.increment();
    if (!use.shown) {
      others.requests.increment();
    }
  }

  /**
   * A node has done work for a read of this role.
   *
   * @param micros the work; NaN where it is not known
   */
  public void worked(String role, double micros) {
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
    boolean full = byRole.size() >= KNOWN || role.equals(OTHERS);
    return full ? others : byRole.computeIfAbsent(role, Use::new);
  }

  /** Shows the roles that use most. Called every few seconds. */
  public synchronized void rank() {
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
      } else if (replaced < SHOWN && use.lately > MORE * shown.get(replaced).lately) {
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
            "Answered requests of each role, of the roles that use most; (others) are all others",
            use,
            of -> (double) of.requests.sum() - of.requestsBefore));
    use.meters.add(
        counter(
            "sluice.role.work.seconds",
            "Work of nodes in the reads of each role, in time of a node that is not busy, of the"
                + " roles that use most; (others) are all others",
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
