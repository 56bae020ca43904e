package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one node, fair to tenants. The entries of a lone tenant are ordered by their keys.
 * While two or more tenants wait, start-time fair queueing chooses among them (Goyal, Vin, Cheng:
 * "Start-time Fair Queueing", 1996). The tenant that has used least goes next. It is charged the
 * estimated work at once, and the difference to the actual work when that is known.
 *
 * <p>Point reads and range reads have a line each, with a clock of its own, because they take
 * different slots. With one clock for both, a tenant with many point reads would never get a range
 * slot while a tenant without any waits for one. A third clock, of the work in both lines, decides
 * between the heads of the lines if they are of different tenants.
 *
 * <p>A tenant without entries is forgotten if there are many and it has no more work behind it than
 * a new tenant would have: roles may live for minutes only. Not safe for several threads.
 */
final class FairQueue {
  /** Tenants that are kept without need. */
  private static final int MANY = 1_000;

  private OrderingPolicy rule;
  private Map<String, Double> weights;
  private final Map<String, TenantQueue> tenants = new HashMap<>();

  /** The tenants by number; null for a number that is free. */
  private final List<@Nullable TenantQueue> numbered = new ArrayList<>();

  private final Deque<Integer> freeNumbers = new ArrayDeque<>();
  private final FairLine points = new FairLine();
  private final FairLine ranges = new FairLine();

  /** The clock of the work in both lines: the largest use with which a tenant has started. */
  private double virtualNow;

  private int size;

  /** The number of tenants above which some are forgotten. */
  private int most = MANY;

  FairQueue(OrderingPolicy rule, Map<String, Double> weights) {
    this.rule = rule;
    this.weights = weights;
  }

  /** Changes the order and the tenants' shares. Queued entries are put in the new order. */
  void change(OrderingPolicy newRule, Map<String, Double> newWeights) {
    List<QueueEntry> all = new ArrayList<>(size);
    for (QueueEntry next = any(); next != null; next = any()) {
      remove(next);
      all.add(next);
    }
    rule = newRule;
    weights = newWeights;
    tenants.forEach((name, tenant) -> tenant.change(newRule, weight(name)));
    for (QueueEntry entry : all) {
      entry.key = Long.MAX_VALUE;
      add(entry);
    }
  }

  private double weight(String tenant) {
    return weights.getOrDefault(tenant, 1.0);
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(QueueEntry entry) {
    QueryFacts facts = entry.query.facts();
    TenantQueue tenant = tenant(facts.share().tenant());
    if (facts.share().weight() > 0) {
      tenant.weight(facts.share().weight());
    }
    tenant.add(entry);
    size++;
  }

  void remove(QueueEntry entry) {
    holder(entry).remove(entry);
    entry.tenant = QueueLinks.NO_TENANT;
    size--;
  }

  void moveForward(QueueEntry entry) {
    holder(entry).moveForward(entry);
  }

  /** Returns the number of the tenant of an entry, which need not be queued. */
  int tenantOf(QueueEntry entry) {
    TenantQueue known = tenants.get(entry.query.facts().share().tenant());
    return known == null ? QueueLinks.NO_TENANT : known.number();
  }

  /** Returns any queued entry; null when nothing is queued. */
  @Nullable QueueEntry any() {
    FairLine line = points.isEmpty() ? ranges : points;
    return line.isEmpty() ? null : line.any();
  }

  /** Returns the next entry for which a slot is free; null when there is none. */
  @Nullable QueueEntry head(PermitLedger ledger) {
    QueueEntry point = points.head(ledger);
    QueueEntry range = ranges.head(ledger);
    return range == null || (point != null && precedes(point, range)) ? point : range;
  }

  /** Whether the head of the point reads goes before that of the range reads. */
  private boolean precedes(QueueEntry point, QueueEntry range) {
    if (point.tenant != range.tenant) {
      double ofPoint = holder(point).used();
      double ofRange = holder(range).used();
      if (ofPoint != ofRange) {
        return ofPoint < ofRange;
      }
    }
    return rule.pointsFirst()
        || (point.key != range.key
            ? point.key < range.key
            : point.query.sequence() < range.query.sequence());
  }

  /** Removes an entry that starts now, and charges its tenant. */
  void start(QueueEntry entry) {
    TenantQueue tenant = holder(entry);
    virtualNow = tenant.advance(entry, virtualNow);
    tenant.charge(entry, (double) entry.workNanos);
    remove(entry);
    entry.tenant = tenant.number();
    tenant.started();
  }

  /** Records that a started entry has ended. */
  void ended(QueueEntry entry) {
    if (entry.tenant != QueueLinks.NO_TENANT) {
      holder(entry).ended();
    }
  }

  /** Records that an entry was refused, even if it was never queued. */
  void refused(QueueEntry entry) {
    tenant(entry.query.facts().share().tenant()).refused();
  }

  /**
   * Returns the tenants whose reads have waited or were refused here, except those that were
   * forgotten.
   */
  List<TenantState> states() {
    List<TenantState> states = new ArrayList<>(tenants.size());
    tenants.forEach((name, tenant) -> states.add(tenant.state(name)));
    return states;
  }

  /**
   * Charges the difference to the actual work of a started entry. An entry that never waited was
   * not charged, so nothing is settled for it.
   */
  void settle(QueueEntry entry, double workNanos) {
    if (entry.tenant != QueueLinks.NO_TENANT) {
      holder(entry).charge(entry, workNanos - entry.workNanos);
    }
  }

  private TenantQueue tenant(String name) {
    TenantQueue known = tenants.get(name);
    if (known == null) {
      if (tenants.size() >= most) {
        forget();
      }
      known =
          new TenantQueue(
              number(), rule, weight(name), new TenantLine(points), new TenantLine(ranges));
      numbered.set(known.number(), known);
      tenants.put(name, known);
    }
    return known;
  }

  /** Returns a number that no tenant has. */
  private int number() {
    if (freeNumbers.isEmpty()) {
      numbered.add(null);
      return numbered.size() - 1;
    }
    return freeNumbers.remove();
  }

  /**
   * Forgets the idle tenants that would start from the virtual clocks if they came back. While no
   * entry waits in a line, its clock first catches up with all idle tenants: nothing is to be made
   * up for then. The cost is spread over the tenants that come before the next time.
   */
  private void forget() {
    for (TenantQueue tenant : tenants.values()) {
      if (tenant.isIdle()) {
        tenant.advanceIdle();
        virtualNow = isEmpty() ? Math.max(virtualNow, tenant.used()) : virtualNow;
      }
    }
    tenants.values().removeIf(this::forgets);
    most = tenants.size() + MANY;
  }

  private boolean forgets(TenantQueue tenant) {
    if (!tenant.isIdle() || !tenant.isLevel(virtualNow)) {
      return false;
    }
    numbered.set(tenant.number(), null);
    freeNumbers.add(tenant.number());
    return true;
  }

  private TenantQueue holder(QueueEntry entry) {
    TenantQueue tenant = entry.tenant == QueueLinks.NO_TENANT ? null : numbered.get(entry.tenant);
    if (tenant == null) {
      throw new IllegalStateException("not queued");
    }
    return tenant;
  }
}
