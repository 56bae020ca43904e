package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.time.TestLane;
import io.sluice.wire.SchemaChange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class SchemaSettlingTest {

  private final TestLane lane = new TestLane();
  private final List<String> log = new ArrayList<>();
  private final Queue<Boolean> agreements = new ArrayDeque<>();
  private final List<CompletableFuture<Boolean>> asked = new ArrayList<>();
  private final List<CompletableFuture<Void>> reads = new ArrayList<>();
  private final List<SchemaChange> missed = new ArrayList<>();
  private boolean allHeard = true;

  private final SchemaSettling settling =
      new SchemaSettling(
          new SchemaSettling.Source() {
            @Override
            public CompletionStage<Boolean> agree() {
              CompletableFuture<Boolean> answer = new CompletableFuture<>();
              asked.add(answer);
              Boolean scripted = agreements.poll();
              if (scripted != null) {
                answer.complete(scripted);
              }
              return answer;
            }

            @Override
            public boolean allHeard() {
              return allHeard;
            }

            @Override
            public CompletionStage<?> read() {
              reads.add(new CompletableFuture<>());
              return reads.get(reads.size() - 1);
            }

            @Override
            public List<SchemaChange> missed() {
              List<SchemaChange> all = List.copyOf(missed);
              missed.clear();
              return all;
            }
          },
          lane,
          lane,
          Duration.ofSeconds(10),
          this::announced);

  private void announced(SchemaChange change) {
    if ("broken".equals(change.name())) {
      throw new IllegalStateException("broken");
    }
    log.add(change.type() + " " + change.name());
  }

  private static SchemaChange created(String table) {
    return new SchemaChange("CREATED", "TABLE", "ks", table, List.of());
  }

  private void answer(String client) {
    settling.settled().thenAccept(agreed -> log.add(client + " " + agreed));
    lane.runSoon();
  }

  private void heard(String... tables) {
    for (String table : tables) {
      settling.onEvent(created(table));
    }
    lane.runSoon();
  }

  private void lastRead() {
    reads.get(reads.size() - 1).complete(null);
    lane.runSoon();
  }

  @Test
  void an_event_is_released_when_nodes_agree_and_the_catalog_shows_it() {
    heard("a");
    assertThat(log).isEmpty();
    asked.get(0).complete(true);
    assertThat(log).isEmpty();
    lastRead();
    assertThat(log).containsExactly("CREATED a");
    assertThat(lane.scheduled()).as("nothing waits for the catalog any more").isZero();
  }

  @Test
  void the_answer_of_the_client_that_changed_the_schema_waits_for_the_catalog_too() {
    answer("client");
    asked.get(0).complete(true);
    assertThat(log).isEmpty();
    lastRead();
    assertThat(log).containsExactly("client true");
  }

  @Test
  void beside_a_silent_node_the_client_is_not_told_that_all_nodes_agree() {
    allHeard = false;
    answer("client");
    asked.get(0).complete(true);
    lastRead();
    assertThat(log).containsExactly("client false");
  }

  @Test
  void each_event_is_released_once_and_in_the_order_of_the_node() {
    heard("a", "b", "c");
    asked.get(0).complete(true);
    lastRead();
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "CREATED b", "CREATED c");
    assertThat(asked).hasSize(2);
  }

  @Test
  void an_event_that_arrives_during_a_round_waits_for_the_next_round() {
    heard("a");
    heard("b");
    answer("client");
    asked.get(0).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a");
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "CREATED b", "client true");
  }

  @Test
  void a_listener_that_throws_stops_no_later_change() {
    heard("broken", "a");
    answer("client");
    asked.get(0).complete(true);
    lastRead();
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "client true");
  }

  @Test
  void nodes_are_asked_until_they_agree() {
    agreements.addAll(List.of(false, false, true));
    heard("a");
    lane.pass(19);
    assertThat(asked).as("with a pause").hasSize(1);
    lane.pass(100);
    lastRead();
    assertThat(asked).hasSize(3);
    assertThat(log).containsExactly("CREATED a");
  }

  @Test
  void the_wait_for_agreement_ends_at_its_timeout_however_long_a_round_takes() {
    answer("client");
    lane.pass(9_000);
    asked.get(0).complete(false);
    lane.pass(2_000);
    asked.get(1).complete(false);
    lastRead();
    assertThat(log).containsExactly("client false");
  }

  @Test
  void a_later_event_has_its_own_timeout() {
    answer("early");
    lane.pass(9_000);
    answer("late");
    lane.pass(1_500);
    asked.get(0).complete(false);
    lastRead();
    assertThat(log).containsExactly("early false");
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("early false", "late true");
  }

  @Test
  void the_wait_for_a_catalog_that_cannot_be_read_ends_before_drivers_give_up() {
    agreements.add(true);
    answer("client");
    lane.pass(1_600);
    assertThat(log).isEmpty();
    lane.pass(200);
    assertThat(log).containsExactly("client true");
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void slow_nodes_before_do_not_extend_the_wait_for_the_catalog() {
    answer("client");
    lane.pass(1_600);
    asked.get(0).complete(true);
    lane.pass(100);
    assertThat(log).isEmpty();
    lane.pass(100);
    assertThat(log).containsExactly("client true");
  }

  @Test
  void a_failed_read_holds_nothing_back() {
    agreements.add(true);
    heard("a");
    reads.get(0).completeExceptionally(new IllegalStateException("lost"));
    assertThat(log).containsExactly("CREATED a");
  }

  @Test
  void changes_without_an_event_come_after_those_with_one() {
    agreements.add(true);
    heard("a", "b");
    missed.add(created("x"));
    asked.get(0).complete(true);
    lastRead();
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "CREATED x", "CREATED b");
  }

  @Test
  void an_answer_comes_after_the_changes_without_an_event() {
    answer("client");
    missed.add(created("x"));
    asked.get(0).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED x", "client true");
  }

  @Test
  void an_answer_waits_for_the_events_that_arrive_during_its_round() {
    answer("client");
    heard("a");
    asked.get(0).complete(true);
    lastRead();
    assertThat(log).isEmpty();
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "client true");
  }

  @Test
  void an_answer_waits_for_one_more_round_only() {
    answer("client");
    heard("a");
    asked.get(0).complete(true);
    lastRead();
    heard("b");
    asked.get(1).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "client true");
    asked.get(2).complete(true);
    lastRead();
    assertThat(log).containsExactly("CREATED a", "client true", "CREATED b");
  }

  @Test
  void an_answer_whose_time_is_up_does_not_wait_for_events() {
    answer("client");
    lane.pass(11_000);
    heard("a");
    asked.get(0).complete(false);
    lastRead();
    assertThat(log).containsExactly("client false");
  }

  @Test
  void a_change_that_an_event_has_just_reported_is_not_reported_again() {
    agreements.add(true);
    heard("a");
    missed.addAll(List.of(created("a"), created("x")));
    lastRead();
    assertThat(log).containsExactly("CREATED a", "CREATED x");
  }

  @Test
  void changes_can_be_looked_for_without_any_event() {
    missed.add(created("x"));
    settling.startRound();
    asked.get(0).complete(false);
    lastRead();
    assertThat(log).containsExactly("CREATED x");
    assertThat(asked).hasSize(1);
  }

  @Test
  void nothing_is_held_any_longer_when_the_proxy_ends() {
    answer("client");
    settling.close();
    assertThat(log).containsExactly("client false");
  }
}
