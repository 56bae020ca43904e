package io.sluice.watch;

import static io.sluice.watch.DriverMetadata.id;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.IndexKind;
import com.datastax.oss.driver.api.core.metadata.schema.IndexMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultIndexMetadata;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultTableMetadata;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.watch.IndexBuilds.Index;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class IndexBuildsTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final List<NodeId> BOTH = List.of(A, B);
  private static final Index OLD = new Index("ks", "old");
  private static final Index NEW = new Index("ks", "new");

  private final TestLane lane = new TestLane();
  private final List<NodeId> asked = new ArrayList<>();
  private final Map<NodeId, CompletableFuture<Set<Index>>> answers = new HashMap<>();
  private final List<String> outcomes = new ArrayList<>();

  private final IndexBuilds builds =
      new IndexBuilds(
          node -> {
            asked.add(node);
            answers.put(node, new CompletableFuture<>());
            return answers.get(node);
          },
          lane,
          Set.of(OLD));

  private void changed(Index... now) {
    builds.built(Set.of(now), BOTH).thenRun(() -> outcomes.add("built"));
  }

  private void has(NodeId node, Index... built) {
    answers.get(node).complete(Set.of(built));
  }

  @Test
  void a_change_without_a_new_index_asks_no_node() {
    changed(OLD);
    assertThat(outcomes).containsExactly("built");
    changed();
    assertThat(outcomes).hasSize(2);
    assertThat(asked).isEmpty();
  }

  @Test
  void a_new_index_is_awaited_until_all_nodes_have_built_it() {
    changed(OLD, NEW);
    has(A, OLD, NEW);
    has(B, OLD);
    assertThat(outcomes).isEmpty();
    lane.pass(20);
    has(B, NEW);
    assertThat(outcomes).containsExactly("built");
    assertThat(asked).containsExactlyInAnyOrder(A, B, B);
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void an_index_is_awaited_once() {
    changed(OLD, NEW);
    has(A, NEW);
    has(B, NEW);
    changed(OLD, NEW);
    assertThat(outcomes).hasSize(2);
    assertThat(asked).hasSize(2);
  }

  @Test
  void an_index_that_was_dropped_and_created_again_is_awaited_again() {
    changed();
    changed(OLD);
    assertThat(outcomes).hasSize(1);
    assertThat(asked).containsExactlyInAnyOrder(A, B);
  }

  @Test
  void a_node_that_cannot_be_asked_is_not_awaited() {
    changed(NEW);
    has(A, NEW);
    answers.get(B).completeExceptionally(new IllegalStateException("lost"));
    assertThat(outcomes).containsExactly("built");
  }

  @Test
  void a_build_that_takes_long_is_not_awaited() {
    changed(NEW);
    has(A, NEW);
    lane.pass(1_000);
    assertThat(outcomes).containsExactly("built");
    has(B);
    assertThat(lane.scheduled()).isZero();
  }

  private static TableMetadata tableWithIndex(String name) {
    IndexMetadata index =
        new DefaultIndexMetadata(id("ks"), id("t"), id(name), IndexKind.COMPOSITES, "v", Map.of());
    return new DefaultTableMetadata(
        id("ks"),
        id("t"),
        null,
        false,
        false,
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(id(name), index));
  }

  @Test
  void the_indexes_of_the_schema_are_compared_with_those_that_a_node_has_built() {
    DriverMetadata schema = new DriverMetadata();
    List<SimpleStatement> questions = new ArrayList<>();
    IndexBuilds ofDriver =
        IndexBuilds.of(
            (node, question) -> {
              questions.add(question);
              NodeRows rows = new NodeRows("table_name text, index_name text");
              return CompletableFuture.completedFuture(
                  questions.size() == 1 ? rows : rows.row("ks", "New"));
            },
            lane,
            schema.keyspaces);
    schema.keyspace("ks", DriverMetadata.simple(1), tableWithIndex("New"));
    assertThat(IndexBuilds.indexes(schema.keyspaces)).containsExactly(new Index("ks", "New"));
    CompletableFuture<Void> built =
        ofDriver.built(IndexBuilds.indexes(schema.keyspaces), List.of(A)).toCompletableFuture();
    lane.runSoon();
    assertThat(built).isNotDone();
    lane.pass(20);
    assertThat(built).isCompleted();
    assertThat(questions)
        .extracting(SimpleStatement::getQuery)
        .containsOnly("SELECT table_name, index_name FROM system.\"IndexInfo\"");
  }

  @Test
  void a_node_is_not_asked_again_after_the_limit() {
    changed(NEW);
    lane.pass(990);
    has(A);
    has(B);
    lane.pass(100);
    assertThat(asked).containsExactlyInAnyOrder(A, B);
    assertThat(outcomes).containsExactly("built");
  }
}
