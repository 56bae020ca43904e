package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class EstimatesWatchTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final TableName T = new TableName("ks", "t");
  private static final TableName U = new TableName("ks", "u");

  /** Partitions by node and table; the node fails where there is no number. */
  private final Map<String, Integer> nodes = new HashMap<>();

  private final List<String> asked = new ArrayList<>();
  private final List<CompletableFuture<List<Counted>>> held = new ArrayList<>();
  private final List<Estimates> published = new ArrayList<>();
  private final Set<TableName> existing = new HashSet<>(Set.of(T, U));
  private boolean hold;

  private final EstimatesWatch watch =
      new EstimatesWatch(this::answer, Runnable::run, published::add);

  private CompletionStage<List<Counted>> answer(NodeId node, TableName table) {
    String key = (node.equals(A) ? "A " : "B ") + table.name();
    asked.add(key);
    Integer partitions = nodes.get(key);
    CompletableFuture<List<Counted>> answer = new CompletableFuture<>();
    if (hold) {
      held.add(answer);
    } else if (partitions == null) {
      answer.completeExceptionally(new IllegalStateException("down"));
    } else {
      answer.complete(List.of(counted(partitions)));
    }
    return answer;
  }

  private static Counted counted(int partitions) {
    return new Counted(TokenRange.ALL, partitions, 10);
  }

  private EstimatesWatch.Scope scope(NodeId... members) {
    return new EstimatesWatch.Scope(List.of(members), Set.of(members), existing::contains);
  }

  private Estimates last() {
    return published.get(published.size() - 1);
  }

  @Test
  void only_tables_that_are_wanted_are_asked_about() {
    nodes.putAll(Map.of("A t", 5, "B t", 6, "A u", 7, "B u", 8));
    watch.readAll(scope(A, B));
    assertThat(asked).isEmpty();
    assertThat(watch.want(T)).isTrue();
    watch.readNew(scope(A, B));
    assertThat(asked).containsExactlyInAnyOrder("A t", "B t");
    assertThat(last().tables()).containsOnlyKeys(T);
    assertThat(last().of(T)).containsExactly(counted(5), counted(6));
  }

  @Test
  void tables_that_come_together_are_asked_about_together_and_once() {
    nodes.putAll(Map.of("A t", 5, "A u", 7));
    assertThat(watch.want(T)).isTrue();
    assertThat(watch.want(T)).isFalse();
    assertThat(watch.want(U)).isFalse();
    watch.readNew(scope(A));
    assertThat(asked).containsExactly("A t", "A u");
    assertThat(published).hasSize(1);
    assertThat(watch.want(T)).isFalse();
    watch.readNew(scope(A));
    assertThat(asked).hasSize(2);
  }

  @Test
  void a_node_gets_one_question_at_a_time() {
    hold = true;
    watch.want(T);
    watch.want(U);
    watch.readNew(scope(A, B));
    assertThat(asked).containsExactlyInAnyOrder("A t", "B t");
    held.get(0).complete(List.of(counted(1)));
    assertThat(asked).containsExactlyInAnyOrder("A t", "B t", "A u");
  }

  @Test
  void only_what_has_changed_is_published() {
    nodes.put("A t", 5);
    watch.want(T);
    watch.readNew(scope(A));
    watch.readAll(scope(A));
    assertThat(asked).hasSize(2);
    assertThat(published).hasSize(1);
    nodes.put("A t", 50);
    watch.readAll(scope(A));
    assertThat(last().of(T)).containsExactly(counted(50));
  }

  @Test
  void a_node_that_fails_keeps_what_it_said_and_one_that_left_does_not() {
    nodes.putAll(Map.of("A t", 5, "B t", 6));
    watch.want(T);
    watch.readNew(scope(A, B));
    nodes.remove("A t");
    nodes.put("B t", 60);
    watch.readAll(scope(A, B));
    assertThat(last().of(T)).containsExactly(counted(5), counted(60));
    watch.readAll(scope(B));
    assertThat(last().of(T)).containsExactly(counted(60));
  }

  @Test
  void a_node_that_counts_nothing_has_not_counted() {
    nodes.putAll(Map.of("A t", 0, "B t", 6));
    watch.want(T);
    watch.readNew(scope(A, B));
    assertThat(last().of(T)).containsExactly(counted(6));
    nodes.put("B t", 0);
    watch.readAll(scope(A, B));
    assertThat(last()).isEqualTo(Estimates.NONE);
  }

  @Test
  void a_table_that_was_dropped_is_forgotten_until_it_is_wanted_again() {
    nodes.put("A t", 5);
    watch.want(T);
    watch.readNew(scope(A));
    existing.remove(T);
    watch.readAll(scope(A));
    assertThat(last()).isEqualTo(Estimates.NONE);
    existing.add(T);
    watch.readAll(scope(A));
    assertThat(asked).containsExactly("A t");
    assertThat(watch.want(T)).isTrue();
  }

  @Test
  void nodes_that_still_answer_are_not_asked_again() {
    nodes.put("A t", 5);
    watch.want(T);
    watch.readNew(scope(A));
    hold = true;
    watch.readAll(scope(A));
    watch.readAll(scope(A));
    assertThat(asked).hasSize(2);
    held.get(0).completeExceptionally(new IllegalStateException("slow"));
    watch.readAll(scope(A));
    assertThat(asked).hasSize(3);
  }

  @Test
  void of_too_many_tables_the_first_is_given_up() {
    hold = true;
    for (int i = 0; i <= EstimatesWatch.MOST_TABLES; i++) {
      TableName table = new TableName("ks", "t" + i);
      existing.add(table);
      watch.want(table);
    }
    assertThat(watch.want(new TableName("ks", "t1"))).isFalse();
    watch.readNew(scope());
    assertThat(watch.want(new TableName("ks", "t0"))).isTrue();
  }
}
