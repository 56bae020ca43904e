package io.sluice.agent.join;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The permission to defer syncs and compactions: until an error of the agent ends it, and as long
 * as operators do not switch it off. Safe for any thread.
 */
final class Deferral {
  private final JoinNode node;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean enabled = true;

  Deferral(JoinNode node) {
    this.node = node;
  }

  /** Whether syncs and compactions are deferred. */
  boolean isOn() {
    return enabled && !ended.get();
  }

  /** Switches the deferral on or off. After its end this has no effect. */
  void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** Ends the deferral. The node is told of the first end only. */
  void end(String why, @Nullable Throwable cause) {
    if (ended.compareAndSet(false, true)) {
      node.ended(why, cause);
    }
  }
}
