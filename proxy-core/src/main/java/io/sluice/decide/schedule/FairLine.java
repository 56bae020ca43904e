package io.sluice.decide.schedule;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of all tenants that wait in one line of a node, with a virtual clock of its own. The
 * tenant that has used least of the line's slots goes next. Not safe for several threads.
 */
final class FairLine {
  private final List<TenantLine> waiting = new ArrayList<>();
  private double virtualNow;

  /** Whether no entry waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Adds a tenant, before its first entry is queued. */
  void enter(TenantLine tenant) {
    tenant.catchUp(virtualNow);
    waiting.add(tenant);
  }

  /** Removes a tenant, after its last entry has left. */
  void leave(TenantLine tenant) {
    waiting.remove(tenant);
  }

  /** Returns any queued entry; only while one waits. */
  QueueEntry any() {
    return waiting.get(0).head();
  }

  /** Returns the next entry for which a slot is free; null when there is none. */
  @Nullable QueueEntry head(PermitLedger ledger) {
    QueueEntry next = null;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < waiting.size(); i++) {
      TenantLine tenant = waiting.get(i);
      if (tenant.used() < least) {
        QueueEntry head = tenant.head();
        if (ledger.hasSlotFor(head.slotClass())) {
          next = head;
          least = tenant.used();
        }
      }
    }
    return next;
  }

  /** Advances the clock to a tenant whose entry starts. */
  void advanceTo(TenantLine tenant) {
    virtualNow = Math.max(virtualNow, tenant.used());
  }

  /** Whether a tenant has used no more than the clock shows. */
  boolean isLevel(TenantLine tenant) {
    return tenant.used() <= virtualNow;
  }
}
