package io.sluice.decide.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The demands that wait at one node. A lone tenant's demands go by their keys. While two or more
 * tenants wait, start-time fair queueing chooses among them (Goyal, Vin, Cheng: "Start-time Fair
 * Queueing", 1996): the one that used least goes next, and is charged the estimated work at once
 * and the difference to the actual work when it is known. Tenants are remembered; there are as many
 * as roles. Not safe for threads.
 */
final class FairQueue {
  private final OrderingPolicy rule;
  private final Map<String, Double> weights;
  private final Map<String, TenantQueue> tenants = new HashMap<>();
  private final List<TenantQueue> waiting = new ArrayList<>();
  private double virtualNow;
  private int size;

  FairQueue(OrderingPolicy rule, Map<String, Double> weights) {
    this.rule = rule;
    this.weights = weights;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(Demand demand) {
    TenantQueue tenant = tenant(demand.query().facts().tenant());
    if (tenant.size() == 0) {
      tenant.arriveAt(virtualNow);
      waiting.add(tenant);
    }
    tenant.add(demand);
    size++;
  }

  void remove(Demand demand) {
    TenantQueue tenant = holder(demand);
    tenant.remove(demand);
    demand.tenant = null;
    size--;
    if (tenant.size() == 0) {
      waiting.remove(tenant);
    }
  }

  void moveForward(Demand demand) {
    holder(demand).moveForward(demand);
  }

  /** The next that may go; null when none may. */
  @Nullable Demand head(boolean rangeSlotFree) {
    Demand next = null;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < waiting.size(); i++) {
      TenantQueue tenant = waiting.get(i);
      if (tenant.used() < least) {
        Demand head = tenant.head(rangeSlotFree);
        if (head != null) {
          next = head;
          least = tenant.used();
        }
      }
    }
    return next;
  }

  /** Takes out a demand that goes now, and charges it. */
  void go(Demand demand) {
    TenantQueue tenant = holder(demand);
    virtualNow = Math.max(virtualNow, tenant.used());
    tenant.charge((double) demand.workNanos);
    remove(demand);
    demand.tenant = tenant;
  }

  /**
   * A demand that went took {@code workNanos}. Nothing is owed for one that never had to wait: it
   * was not charged.
   */
  void settle(Demand demand, double workNanos) {
    TenantQueue tenant = demand.tenant;
    if (tenant != null) {
      tenant.charge(workNanos - demand.workNanos);
    }
  }

  private TenantQueue tenant(String name) {
    TenantQueue known = tenants.get(name);
    if (known == null) {
      known = new TenantQueue(rule, weights.getOrDefault(name, 1.0));
      tenants.put(name, known);
    }
    return known;
  }

  private static TenantQueue holder(Demand demand) {
    TenantQueue tenant = demand.tenant;
    if (tenant == null) {
      throw new IllegalStateException("not queued");
    }
    return tenant;
  }
}
