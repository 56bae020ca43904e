package io.sluice.host.join;

import java.util.Optional;
import java.util.Set;

/**
 * The state of a join, derived from the node's mode. A node in write survey mode stays JOINING, and
 * so does one of 4.0 or 4.1 whose streams have failed: both count as {@link #WAIT}.
 */
enum JoinStep {
  /** The node has not joined yet. */
  WAIT,
  /** The node has joined. */
  JOINED,
  /** The node has a mode in which it does not join by itself. */
  FAILED,
  /** The node's mode could not be read in the first minutes. */
  SILENT,
  /** The node's process has ended. */
  ENDED;

  private static final Set<String> LOST =
      Set.of("JOINING_FAILED", "DECOMMISSIONED", "DECOMMISSION_FAILED", "DRAINED");

  static JoinStep of(boolean alive, Optional<String> mode) {
    if (!alive) {
      return ENDED;
    }
    if (mode.isEmpty()) {
      return WAIT;
    }
    if (mode.get().equals("NORMAL")) {
      return JOINED;
    }
    return LOST.contains(mode.get()) ? FAILED : WAIT;
  }
}
