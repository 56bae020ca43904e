package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import io.sluice.time.TestLane;
import io.sluice.watch.Cluster.EstimatesTry;
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

  /** Number of partitions by node and table; a node without a number fails. */
  private final Map<String, Integer> partitions = new HashMap<>();

  private final TestLane lane = new TestLane();
  private final List<String> asked = new ArrayList<>();
  private final List<CompletableFuture<List<Counted>>> held = new ArrayList<>();
  private final List<Estimates> published = new ArrayList<>();
  private final Set<TableName> missing = new HashSet<>();
  private List<NodeId> nodes = List.of(A, B);
  private boolean hold;

  private final EstimatesWatch watch =
      new EstimatesWatch(
          this::answer,
          () -> new EstimatesWatch.Scope(nodes, table -> !missing.contains(table)),
          lane,
          lane,
          published::add);

  private CompletionStage<List<Counted>> answer(NodeId node, TableName table) {
    String key = (char) ('@' + node.hostId().getLeastSignificantBits()) + " " + table.name();
    asked.add(key);
    Integer counted = partitions.get(key);
    CompletableFuture<List<Counted>> answer = new CompletableFuture<>();
    if (hold) {
      held.add(answer);
    } else if (counted == null) {
      answer.completeExceptionally(new IllegalStateException("down"));
    } else {
      answer.complete(List.of(counted(counted)));
    }
    return answer;
  }

  private static Counted counted(int partitions) {
    return new Counted(TokenRange.ALL, partitions, 10);
  }

  private static TableName table(int number) {
    return new TableName("ks", "t" + number);
  }

  private void ticks(int count) {
    for (int i = 0; i < count; i++) {
      watch.tick();
      lane.pass(EstimatesWatch.TICK_MILLIS);
    }
  }

  private void minutes(int count) {
    ticks((int) (count * 60_000L / EstimatesWatch.TICK_MILLIS) + 2);
  }

  private Map<TableName, List<Counted>> last() {
    return published.get(published.size() - 1).tables();
  }

  @Test
  void only_tables_that_are_wanted_are_asked_about() {
    partitions.putAll(Map.of("A t", 5, "B t", 6, "A u", 7, "B u", 8));
    ticks(2);
    assertThat(asked).isEmpty();
    watch.want(T);
    ticks(2);
    assertThat(asked).containsExactlyInAnyOrder("A t", "B t");
    assertThat(last()).containsExactly(Map.entry(T, List.of(counted(5), counted(6))));
  }

  @Test
  void a_table_is_asked_about_once_however_often_it_is_wanted() {
    partitions.putAll(Map.of("A t", 5, "B t", 6));
    for (int i = 0; i < 10; i++) {
      watch.want(T);
      ticks(1);
    }
    assertThat(asked).hasSize(2);
    assertThat(published).hasSize(1);
  }

  @Test
  void a_node_gets_one_request_at_a_time() {
    hold = true;
    watch.want(T);
    watch.want(U);
    ticks(3);
    assertThat(asked).containsExactlyInAnyOrder("A t", "B t");
    held.get(0).complete(List.of(counted(1)));
    ticks(1);
    assertThat(asked).containsExactlyInAnyOrder("A t", "B t", "A u");
  }

  @Test
  void only_the_tables_that_have_changed_are_published() {
    partitions.putAll(Map.of("A t", 5, "B t", 6, "A u", 7, "B u", 8));
    watch.want(T);
    watch.want(U);
    ticks(4);
    published.clear();
    minutes(1);
    assertThat(asked).hasSize(8);
    assertThat(published).isEmpty();
    partitions.put("A t", 50);
    minutes(5);
    assertThat(published).hasSize(1);
    assertThat(last()).containsExactly(Map.entry(T, List.of(counted(50), counted(6))));
  }

  @Test
  void tables_that_stay_the_same_are_read_every_five_minutes() {
    partitions.putAll(Map.of("A t", 5, "B t", 6));
    watch.want(T);
    minutes(13);
    assertThat(asked).as("after 1, 2, 4 and 5 minutes more").hasSize(2 * 5);
    asked.clear();
    minutes(50);
    assertThat(asked).hasSize(2 * 10);
  }

  @Test
  void a_node_that_fails_changes_nothing_and_one_that_left_does() {
    partitions.putAll(Map.of("A t", 5, "B t", 6));
    watch.want(T);
    ticks(2);
    partitions.remove("A t");
    minutes(1);
    assertThat(published).hasSize(1);
    nodes = List.of(B);
    minutes(5);
    assertThat(last()).containsExactly(Map.entry(T, List.of(counted(6))));
  }

  @Test
  void without_a_node_that_is_up_nothing_changes() {
    partitions.putAll(Map.of("A t", 5, "B t", 6));
    watch.want(T);
    ticks(2);
    nodes = List.of();
    minutes(10);
    assertThat(published).hasSize(1);
  }

  @Test
  void the_answers_of_some_nodes_are_published_if_there_were_none_before() {
    partitions.put("B t", 6);
    watch.want(T);
    ticks(2);
    assertThat(last()).containsExactly(Map.entry(T, List.of(counted(6))));
  }

  @Test
  void an_answer_with_a_count_of_zero_is_ignored() {
    partitions.putAll(Map.of("A t", 0, "B t", 6));
    watch.want(T);
    ticks(2);
    assertThat(last()).containsExactly(Map.entry(T, List.of(counted(6))));
    partitions.put("B t", 0);
    minutes(1);
    assertThat(last()).containsExactly(Map.entry(T, List.of()));
  }

  @Test
  void a_table_that_was_dropped_is_forgotten_until_it_is_wanted_again() {
    partitions.putAll(Map.of("A t", 5, "B t", 6));
    watch.want(T);
    ticks(2);
    missing.add(T);
    minutes(1);
    assertThat(last()).containsExactly(Map.entry(T, List.of()));
    missing.clear();
    minutes(10);
    assertThat(asked).hasSize(2);
    watch.want(T);
    ticks(2);
    assertThat(asked).hasSize(4);
  }

  @Test
  void of_too_many_tables_the_least_recently_wanted_is_no_longer_followed() {
    nodes = List.of(A);
    for (int i = 0; i <= FollowedTables.MAX_TABLES; i++) {
      partitions.put("A t" + i, 5);
      if (i == FollowedTables.MAX_TABLES) {
        watch.want(table(0));
      }
      watch.want(table(i));
      ticks(2);
    }
    assertThat(published)
        .filteredOn(news -> news.tables().containsValue(List.of()))
        .singleElement()
        .satisfies(news -> assertThat(news.tables()).containsKey(table(1)));
  }

  @Test
  void an_answer_about_a_table_that_has_given_way_meanwhile_is_ignored() {
    hold = true;
    nodes = List.of(A);
    watch.want(T);
    ticks(1);
    hold = false;
    nodes = List.of(B);
    for (int i = 0; i < FollowedTables.MAX_TABLES; i++) {
      watch.want(table(i));
      ticks(2);
    }
    held.get(0).complete(List.of(counted(5)));
    ticks(1);
    assertThat(published).isEmpty();
    assertThat(watch.tried()).doesNotContainKey(T).hasSize(FollowedTables.MAX_TABLES);
  }

  /** Otherwise the counts of all tables would pile up while a node does not answer. */
  @Test
  void four_tables_at_a_time_are_held_until_all_nodes_have_answered() {
    hold = true;
    for (int i = 0; i < 10; i++) {
      watch.want(table(i));
    }
    ticks(1);
    hold = false;
    held.get(asked.indexOf("A t0")).complete(List.of(counted(1)));
    ticks(20);
    assertThat(asked).filteredOn(each -> each.startsWith("A")).hasSize(4);
  }

  @Test
  void a_table_that_changes_is_read_again_after_a_minute() {
    partitions.putAll(Map.of("A t", 5, "B t", 6));
    watch.want(T);
    minutes(13);
    partitions.put("A t", 50);
    minutes(5);
    assertThat(last()).containsKey(T);
    asked.clear();
    partitions.put("A t", 500);
    minutes(1);
    assertThat(asked).as("within a minute of the last change").isNotEmpty();
  }

  /** A hundred nodes, ten thousand tables that stay unknown, a thousand scans per second. */
  @Test
  void many_scans_of_many_tables_do_not_exceed_the_rate_of_requests() {
    nodes = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      nodes.add(new NodeId(new UUID(0, i)));
    }
    int seconds = 120;
    int ticksASecond = (int) (1_000 / EstimatesWatch.TICK_MILLIS);
    int next = 0;
    Map<String, Integer> mostOfANode = new HashMap<>();
    for (int second = 0; second < seconds; second++) {
      asked.clear();
      for (int tick = 0; tick < ticksASecond; tick++) {
        for (int i = 0; i < 1_000 / ticksASecond; i++) {
          next = (next + 7_919) % 10_000;
          watch.want(table(next));
        }
        ticks(1);
      }
      assertThat(asked).hasSizeLessThanOrEqualTo(EstimatesWatch.REQUESTS_PER_TICK * ticksASecond);
      Map<String, Integer> byNode = new HashMap<>();
      asked.forEach(each -> byNode.merge(each.substring(0, 1), 1, Integer::sum));
      byNode.forEach((node, count) -> mostOfANode.merge(node, count, Math::max));
    }
    assertThat(mostOfANode.values()).allMatch(most -> most <= ticksASecond);
  }

  @Test
  void a_publication_contains_only_new_estimates() {
    nodes = List.of(A);
    for (int i = 0; i < 100; i++) {
      partitions.put("A t" + i, 5);
      watch.want(table(i));
      ticks(2);
    }
    assertThat(published).allMatch(news -> news.tables().size() == 1).hasSize(100);
  }

  @Test
  void the_last_try_is_kept_with_its_error_as_long_as_the_table_is_followed() {
    partitions.put("B t", 6);
    watch.want(T);
    ticks(2);
    EstimatesTry first = watch.tried().get(T);
    assertThat(first).isNotNull();
    assertThat(first.error()).startsWith("node ").contains(A.toString()).contains("down");
    partitions.put("A t", 5);
    minutes(1);
    EstimatesTry second = watch.tried().get(T);
    assertThat(second).isNotNull();
    assertThat(second.error()).isNull();
    assertThat(second.atNanos()).isGreaterThan(first.atNanos());
    missing.add(T);
    minutes(1);
    assertThat(watch.tried()).isEmpty();
  }
}
