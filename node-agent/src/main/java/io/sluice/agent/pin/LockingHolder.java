package io.sluice.agent.pin;

import io.sluice.agent.host.Libc;
import java.io.IOException;

/** Keeps files in memory by mapping and locking them. Safe for any thread. */
final class LockingHolder implements Holder {
  private final Libc libc;

  LockingHolder(Libc libc) {
    this.libc = libc;
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
  public boolean repeats() {
    return false;
  }

  @Override
  public Hold hold(IndexFile file) throws IOException {
    return new MappedFile(libc, file);
  }
}
