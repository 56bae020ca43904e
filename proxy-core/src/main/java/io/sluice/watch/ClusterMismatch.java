package io.sluice.watch;

import java.io.IOException;

/** The cluster answers, but is not what the configuration says: waiting for it does not help. */
final class ClusterMismatch extends IOException {

  private static final long serialVersionUID = 1L;

  ClusterMismatch(String message) {
    super(message);
  }
}
