package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchemaAgreementTest {

  private static final UUID OLD = new UUID(0, 1);
  private static final UUID NEW = new UUID(0, 2);

  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
  private final ArrayDeque<List<UUID>> looks = new ArrayDeque<>();

  @AfterEach
  void stop() {
    later.shutdownNow();
  }

  private boolean agree(int tries) throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    new SchemaAgreement(
            () -> CompletableFuture.completedFuture(looks.remove()), later, tries, result)
        .check();
    return result.get(10, TimeUnit.SECONDS);
  }

  @Test
  void nodes_with_one_version_agree_at_once() throws Exception {
    looks.add(List.of(NEW, NEW, NEW));
    assertThat(agree(5)).isTrue();
  }

  @Test
  void they_are_asked_until_they_agree() throws Exception {
    looks.add(List.of(OLD, NEW));
    looks.add(List.of(OLD, NEW));
    looks.add(List.of(NEW, NEW));
    assertThat(agree(5)).isTrue();
    assertThat(looks).isEmpty();
  }

  @Test
  void after_too_many_looks_they_do_not() throws Exception {
    for (int i = 0; i < 3; i++) {
      looks.add(List.of(OLD, NEW));
    }
    assertThat(agree(3)).isFalse();
    assertThat(looks).isEmpty();
  }

  @Test
  void nobody_there_is_no_agreement() throws Exception {
    looks.add(List.of());
    assertThat(agree(1)).isFalse();
  }

  @Test
  void a_look_that_fails_counts_as_one() throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    new SchemaAgreement(
            () -> CompletableFuture.failedFuture(new IllegalStateException("gone")),
            later,
            2,
            result)
        .check();
    assertThat(result.get(10, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void who_stops_meanwhile_waits_for_nobody() throws Exception {
    later.shutdownNow();
    looks.add(List.of(OLD, NEW));
    assertThat(agree(5)).isFalse();
  }
}
