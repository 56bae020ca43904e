package io.sluice.agent.join;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The permission to defer syncs and compactions: until an error of the agent ends it, and as long
 * as operators do not switch it off. Safe for any thread.
 */
final class Deferral {
  private final BiConsumer<String, @Nullable Throwable> onEnd;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean enabled = true;

  /**
   * Creates a deferral that is on.
   *
   * @param onEnd receives the reason of the end, and its cause if there is one; called at most once
   */
  Deferral(BiConsumer<String, @Nullable Throwable> onEnd) {
    this.onEnd = onEnd;
  }

  /** Whether syncs and compactions are deferred. */
  boolean isOn() {
    return enabled && !ended.get();
  }

  /** Switches the deferral on or off. After its end this has no effect. */
  void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** Ends the deferral. A further end has no effect. */
  void end(String why, @Nullable Throwable cause) {
    if (ended.compareAndSet(false, true)) {
      onEnd.accept(why, cause);
    }
  }
}
