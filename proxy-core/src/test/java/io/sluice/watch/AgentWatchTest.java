package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AgentWatchTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));
  private static final AgentReport ON = new AgentReport(true, 0, 0, 0, 0, 0, 0, 0, 1000);
  private static final AgentReport OFF = new AgentReport(false, 0, 0, 0, 0, 0, 0, 0, 1000);

  private final Map<NodeId, AgentReport> agents = new HashMap<>();
  private final List<CompletableFuture<@Nullable AgentReport>> held = new ArrayList<>();
  private final List<NodeId> asked = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private boolean hold;
  private boolean silent;

  private final AgentWatch watch =
      new AgentWatch(
          this::answer, Runnable::run, (node, report) -> heard.add(name(node) + said(report)));

  private static String name(NodeId node) {
    return node.equals(A) ? "A" : "B";
  }

  private static String said(@Nullable AgentReport report) {
    return report == null ? " gone" : report.enabled() ? " on" : " off";
  }

  private CompletionStage<@Nullable AgentReport> answer(NodeId node) {
    asked.add(node);
    CompletableFuture<@Nullable AgentReport> answer = new CompletableFuture<>();
    if (hold) {
      held.add(answer);
    } else if (silent) {
      answer.completeExceptionally(new IllegalStateException("no answer"));
    } else {
      answer.complete(agents.get(node));
    }
    return answer;
  }

  private void rounds(int count, NodeId... up) {
    for (int i = 0; i < count; i++) {
      watch.round(List.of(up));
    }
  }

  @Test
  void a_node_with_an_agent_is_asked_in_every_round_any_other_in_every_tenth() {
    agents.put(A, ON);
    rounds(2 * AgentWatch.ROUNDS_WITHOUT_AGENT, A, B);
    assertThat(asked).filteredOn(A::equals).hasSize(2 * AgentWatch.ROUNDS_WITHOUT_AGENT);
    assertThat(asked).filteredOn(B::equals).hasSize(2);
    assertThat(heard).hasSize(2 * AgentWatch.ROUNDS_WITHOUT_AGENT).containsOnly("A on");
  }

  @Test
  void a_switched_off_or_removed_agent_is_noticed_in_the_next_round() {
    agents.put(A, ON);
    rounds(1, A);
    agents.put(A, OFF);
    rounds(1, A);
    agents.remove(A);
    rounds(3, A);
    assertThat(heard).containsExactly("A on", "A off", "A gone");
  }

  @Test
  void a_new_agent_is_noticed_within_ten_rounds() {
    rounds(1, A);
    agents.put(A, ON);
    rounds(AgentWatch.ROUNDS_WITHOUT_AGENT, A);
    assertThat(heard).containsExactly("A on");
  }

  @Test
  void the_report_of_a_node_that_is_down_is_dropped_and_the_node_is_asked_when_it_is_up() {
    agents.put(A, ON);
    rounds(1, A, B);
    rounds(2, B);
    assertThat(heard).containsExactly("A on", "A gone");
    agents.remove(A);
    agents.put(B, ON);
    rounds(1, B);
    rounds(1, A, B);
    assertThat(asked).filteredOn(A::equals).hasSize(2);
  }

  @Test
  void the_last_report_of_a_node_that_does_not_answer_stays() {
    agents.put(A, ON);
    rounds(1, A);
    silent = true;
    rounds(5, A);
    assertThat(heard).containsExactly("A on");
    silent = false;
    rounds(1, A);
    assertThat(heard).containsExactly("A on", "A on");
  }

  @Test
  void a_node_without_an_agent_whose_requests_fail_is_asked_in_every_tenth_round() {
    silent = true;
    rounds(2 * AgentWatch.ROUNDS_WITHOUT_AGENT, B);
    assertThat(asked).hasSize(2);
    assertThat(heard).isEmpty();
  }

  @Test
  void a_node_that_is_slow_to_answer_is_asked_once() {
    hold = true;
    rounds(3, A);
    assertThat(asked).hasSize(1);
    held.get(0).complete(ON);
    rounds(1, A);
    assertThat(asked).hasSize(2);
  }

  @Test
  void an_answer_after_its_node_went_down_is_ignored() {
    hold = true;
    rounds(1, A);
    rounds(1);
    held.get(0).complete(ON);
    assertThat(heard).isEmpty();
  }
}
