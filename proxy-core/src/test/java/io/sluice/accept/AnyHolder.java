package io.sluice.accept;

import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;

/** A connection that only provides its lane. */
record AnyHolder(Lane lane) implements MemoryAccount.Holder {

  @Override
  public void recount() {}

  @Override
  public void evict(long bytes) {}
}
