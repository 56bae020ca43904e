package io.sluice.agent.pin;

import java.io.IOException;

/** The kernel does not lock more for this process. */
final class LockRefused extends IOException {
  private static final long serialVersionUID = 1L;

  LockRefused(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
