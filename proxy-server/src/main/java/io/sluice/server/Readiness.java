package io.sluice.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The readiness of this process for requests: starting, serving, draining. Safe for any thread. */
final class Readiness {

  private volatile Supplier<@Nullable String> reason = () -> "starting";

  /** The cluster cannot be used yet. */
  void waiting(String why) {
    reason = () -> "not connected to the cluster yet: " + why;
  }

  /** From now on as {@code proxy} says. */
  void serving(RunningProxy proxy) {
    reason = proxy::notReady;
  }

  /** Never ready again. */
  void draining() {
    reason = () -> "draining";
  }

  /** Null when ready. */
  @Nullable String notReady() {
    return reason.get();
  }
}
