package io.sluice.agent.pin;

import java.io.IOException;

/** Thrown when the kernel does not let this process lock more memory. */
final class LockRefused extends IOException {
  private static final long serialVersionUID = 1L;

  LockRefused(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
