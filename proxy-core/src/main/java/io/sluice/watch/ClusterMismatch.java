package io.sluice.watch;

import java.io.IOException;

/** Thrown when the cluster answers but does not match the configuration. A retry does not help. */
final class ClusterMismatch extends IOException {

  private static final long serialVersionUID = 1L;

  ClusterMismatch(String message) {
    super(message);
  }
}
