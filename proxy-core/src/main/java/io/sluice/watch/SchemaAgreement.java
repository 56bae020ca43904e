package io.sluice.watch;

import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Asks for schema versions until they are one, or too often. */
final class SchemaAgreement {

  static final long PAUSE_MILLIS = 20;

  private final Supplier<CompletionStage<List<UUID>>> versions;
  private final ScheduledExecutorService later;
  private final CompletableFuture<Boolean> result;
  private long triesLeft;

  SchemaAgreement(
      Supplier<CompletionStage<List<UUID>>> versions,
      ScheduledExecutorService later,
      long tries,
      CompletableFuture<Boolean> result) {
    this.versions = versions;
    this.later = later;
    this.triesLeft = tries;
    this.result = result;
  }

  void check() {
    versions.get().whenComplete((found, failure) -> decide(found == null ? List.of() : found));
  }

  private void decide(List<UUID> found) {
    if (new HashSet<>(found).size() == 1) {
      result.complete(true);
    } else if (--triesLeft <= 0) {
      result.complete(false);
    } else {
      try {
        later.schedule(this::check, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException stopping) {
        result.complete(false);
      }
    }
  }
}
