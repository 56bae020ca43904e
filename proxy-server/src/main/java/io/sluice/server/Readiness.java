package io.sluice.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The readiness of this process for requests: starting, serving, draining. Safe for any thread. */
final class Readiness {

  private volatile Supplier<@Nullable String> reason = () -> "starting";

  /** Reports that the cluster is not usable yet. */
  void waiting(String why) {
    reason = () -> "not connected to the cluster yet: " + why;
  }

  /** Reports the readiness of {@code proxy} from now on. */
  void serving(RunningProxy proxy) {
    reason = proxy::notReady;
  }

  /** Reports that the process is draining, for the rest of its life. */
  void draining() {
    reason = () -> "draining";
  }

  /** Returns the reason why the process is not ready; null when it is ready. */
  @Nullable String notReady() {
    return reason.get();
  }
}
