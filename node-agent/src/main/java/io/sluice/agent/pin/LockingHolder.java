package io.sluice.agent.pin;

import io.sluice.agent.host.Libc;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Keeps files in memory by mapping and locking them. Safe for any thread. */
final class LockingHolder implements Holder {
  private final Libc libc;
  private final LongSupplier lockable;

  /**
   * Creates a holder.
   *
   * @param lockable returns the bytes that the process may lock in addition to those locked
   */
  LockingHolder(Libc libc, LongSupplier lockable) {
    this.libc = libc;
    this.lockable = lockable;
  }

  @Override
  public String mode() {
    return "locked";
  }

  @Override
  public int pageSize() {
    return libc.pageSize();
  }

  @Override
  public long room() {
    return lockable.getAsLong();
  }

  @Override
  public boolean repeats() {
    return false;
  }

  @Override
  public Hold hold(IndexFile file) throws IOException {
    return new MappedFile(libc, file);
  }
}
