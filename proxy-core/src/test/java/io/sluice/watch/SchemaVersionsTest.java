package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaVersionsTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final List<NodeId> BOTH = List.of(A, B);
  private static final UUID OLD = new UUID(0, 1);
  private static final UUID NEW = new UUID(0, 2);

  private final TestLane lane = new TestLane();
  private final List<NodeId> asked = new ArrayList<>();
  private final Map<NodeId, CompletableFuture<@Nullable UUID>> answers = new HashMap<>();
  private final List<Boolean> outcomes = new ArrayList<>();

  private final SchemaVersions versions =
      new SchemaVersions(
          node -> {
            asked.add(node);
            answers.put(node, new CompletableFuture<>());
            return answers.get(node);
          },
          lane);

  private void agree() {
    versions.agree(BOTH).thenAccept(outcomes::add);
  }

  private void says(NodeId node, @Nullable UUID version) {
    answers.get(node).complete(version);
  }

  @Test
  void nodes_with_one_version_agree() {
    agree();
    says(A, NEW);
    assertThat(outcomes).isEmpty();
    says(B, NEW);
    assertThat(outcomes).containsExactly(true);
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void nodes_with_two_versions_do_not_agree() {
    agree();
    says(A, NEW);
    says(B, OLD);
    assertThat(outcomes).containsExactly(false);
  }

  @Test
  void a_node_that_hangs_is_waited_for_once_and_not_for_long() {
    agree();
    says(A, NEW);
    lane.pass(1_600);
    assertThat(outcomes).containsExactly(true);
    assertThat(versions.isSilent(B)).isTrue();
    agree();
    says(A, NEW);
    assertThat(outcomes).containsExactly(true, true);
  }

  @Test
  void a_node_with_a_request_in_flight_is_not_asked_again() {
    agree();
    says(A, NEW);
    lane.pass(1_600);
    agree();
    assertThat(asked).containsExactly(A, B, A);
  }

  @Test
  void a_failed_node_is_asked_but_not_waited_for() {
    agree();
    says(A, NEW);
    answers.get(B).completeExceptionally(new IllegalStateException("lost"));
    assertThat(outcomes).containsExactly(true);
    agree();
    says(A, NEW);
    assertThat(outcomes).containsExactly(true, true);
    assertThat(asked).containsExactly(A, B, A, B);
  }

  @Test
  void a_silent_node_counts_again_when_it_has_answered() {
    agree();
    says(A, NEW);
    lane.pass(1_600);
    says(B, OLD);
    assertThat(versions.isSilent(B)).isFalse();
    agree();
    says(A, NEW);
    says(B, OLD);
    assertThat(outcomes).containsExactly(true, false);
  }

  @Test
  void without_an_answer_there_is_no_agreement() {
    agree();
    lane.pass(1_600);
    assertThat(outcomes).containsExactly(false);
    versions.agree(List.of()).thenAccept(outcomes::add);
    assertThat(outcomes).containsExactly(false, false);
  }
}
