package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the question to every node whose answer is a fact about it. */
class NodeSurveyTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final Set<NodeId> BOTH = Set.of(A, B);

  private final Map<NodeId, CompletableFuture<AsyncResultSet>> answers = new HashMap<>();
  private final List<Map<NodeId, Integer>> heard = new ArrayList<>();
  private final TestLane thread = new TestLane();
  private final NodeSurvey<Integer> survey =
      new NodeSurvey<>(this::ask, NodeSurveyTest::number, thread, this::hear);

  private boolean refuses;

  private void hear(Map<NodeId, Integer> facts) {
    if (refuses) {
      throw new IllegalStateException("refused");
    }
    heard.add(facts);
  }

  private CompletableFuture<AsyncResultSet> ask(NodeId node) {
    CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();
    answers.put(node, answer);
    return answer;
  }

  private static int number(Iterable<Row> rows) {
    return rows.iterator().next().getInt("n");
  }

  private void says(NodeId node, int number) {
    answers.get(node).complete(new NodeRows("n int").row(number));
    thread.runSoon();
  }

  private void fails(NodeId node) {
    answers.get(node).completeExceptionally(new IllegalStateException("gone"));
    thread.runSoon();
  }

  private void know(int a, int b) {
    survey.read(List.of(A, B), BOTH);
    says(A, a);
    says(B, b);
  }

  @Test
  void the_facts_of_all_nodes_come_together() {
    survey.read(List.of(A, B), BOTH);
    says(A, 1);
    assertThat(heard).isEmpty();
    says(B, 2);
    assertThat(heard).containsExactly(Map.of(A, 1, B, 2));
  }

  @Test
  void the_same_facts_are_not_reported_again() {
    know(1, 2);
    know(1, 2);
    assertThat(heard).hasSize(1);
    know(1, 3);
    assertThat(heard).hasSize(2).last().isEqualTo(Map.of(A, 1, B, 3));
  }

  @Test
  void facts_that_the_listener_could_not_take_are_reported_again() {
    refuses = true;
    know(1, 2);
    refuses = false;
    know(1, 2);
    assertThat(heard).containsExactly(Map.of(A, 1, B, 2));
  }

  @Test
  void the_last_fact_of_a_node_that_does_not_answer_stays() {
    know(1, 2);
    survey.read(List.of(A, B), BOTH);
    says(A, 5);
    fails(B);
    assertThat(heard).last().isEqualTo(Map.of(A, 5, B, 2));
  }

  @Test
  void the_fact_of_a_node_that_is_down_stays() {
    know(1, 2);
    survey.read(List.of(A), BOTH);
    says(A, 5);
    assertThat(heard).last().isEqualTo(Map.of(A, 5, B, 2));
  }

  @Test
  void the_fact_of_a_node_that_has_left_is_dropped() {
    know(1, 2);
    survey.read(List.of(A), Set.of(A));
    says(A, 1);
    assertThat(heard).last().isEqualTo(Map.of(A, 1));
  }

  @Test
  void nodes_that_all_fail_change_nothing() {
    survey.read(List.of(A, B), BOTH);
    fails(A);
    fails(B);
    assertThat(heard).isEmpty();
  }

  @Test
  void a_cluster_without_nodes_has_no_facts() {
    know(1, 2);
    survey.read(List.of(), Set.of());
    thread.runSoon();
    assertThat(heard).last().isEqualTo(Map.of());
  }

  @Test
  void the_listener_is_called_on_the_thread_of_the_survey() {
    survey.read(List.of(A), BOTH);
    answers.get(A).complete(new NodeRows("n int").row(1));
    assertThat(heard).isEmpty();
    thread.runSoon();
    assertThat(heard).hasSize(1);
  }

  @Test
  void the_sizes_of_pools_are_read_from_rows() {
    NodeRows rows =
        new NodeRows("name text, active_tasks_limit int")
            .row("ReadStage", 48)
            .row("Native-Transport-Requests", 256)
            .row(null, 7);
    assertThat(NodePools.of(rows.currentPage())).isEqualTo(new NodePools(48, 256));
  }
}
