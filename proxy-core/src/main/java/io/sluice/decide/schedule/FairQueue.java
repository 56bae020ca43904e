package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one node, fair to tenants. The entries of a lone tenant are ordered by their keys.
 * While two or more tenants wait, start-time fair queueing chooses among them (Goyal, Vin, Cheng:
 * "Start-time Fair Queueing", 1996). The tenant that has used least goes next. It is charged the
 * estimated work at once, and the difference to the actual work when that is known. Tenants are
 * never forgotten; there are as many as roles. Not safe for several threads.
 */
final class FairQueue {
  private OrderingPolicy rule;
  private Map<String, Double> weights;
  private final Map<String, TenantQueue> tenants = new HashMap<>();
  private final List<TenantQueue> numbered = new ArrayList<>();
  private final List<TenantQueue> waiting = new ArrayList<>();
  private double virtualNow;
  private int size;

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

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(QueueEntry entry) {
    QueryFacts facts = entry.query.facts();
    TenantQueue tenant = tenant(facts.tenant());
    if (facts.weight() > 0) {
      tenant.weight(facts.weight());
    }
    if (tenant.size() == 0) {
      tenant.arriveAt(virtualNow);
      waiting.add(tenant);
    }
    tenant.add(entry);
    size++;
  }

  void remove(QueueEntry entry) {
    TenantQueue tenant = holder(entry);
    tenant.remove(entry);
    entry.tenant = QueueLinks.NO_TENANT;
    size--;
    if (tenant.size() == 0) {
      waiting.remove(tenant);
    }
  }

  void moveForward(QueueEntry entry) {
    holder(entry).moveForward(entry);
  }

  /** Returns any queued entry; null when nothing is queued. */
  @Nullable QueueEntry any() {
    return waiting.isEmpty() ? null : waiting.get(0).any();
  }

  /** Returns the next entry for which a slot is free; null when there is none. */
  @Nullable QueueEntry head(PermitLedger ledger) {
    QueueEntry next = null;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < waiting.size(); i++) {
      TenantQueue tenant = waiting.get(i);
      if (tenant.used() < least) {
        QueueEntry head = tenant.head(ledger);
        if (head != null) {
          next = head;
          least = tenant.used();
        }
      }
    }
    return next;
  }

  /** Removes an entry that starts now, and charges its tenant. */
  void start(QueueEntry entry) {
    TenantQueue tenant = holder(entry);
    virtualNow = Math.max(virtualNow, tenant.used());
    tenant.charge((double) entry.workNanos);
    remove(entry);
    entry.tenant = tenant.number();
    tenant.started();
  }

  /** Records that a started entry has ended. */
  void ended(QueueEntry entry) {
    if (entry.tenant != QueueLinks.NO_TENANT) {
      numbered.get(entry.tenant).ended();
    }
  }

  /** Records that an entry was refused, even if it was never queued. */
  void refused(QueueEntry entry) {
    tenant(entry.query.facts().tenant()).refused();
  }

  /** Returns the tenants whose reads have waited or were refused here. */
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
      numbered.get(entry.tenant).charge(workNanos - entry.workNanos);
    }
  }

  private TenantQueue tenant(String name) {
    TenantQueue known = tenants.get(name);
    if (known == null) {
      known = new TenantQueue(numbered.size(), rule, weight(name));
      numbered.add(known);
      tenants.put(name, known);
    }
    return known;
  }

  private TenantQueue holder(QueueEntry entry) {
    if (entry.tenant == QueueLinks.NO_TENANT) {
      throw new IllegalStateException("not queued");
    }
    return numbered.get(entry.tenant);
  }
}
