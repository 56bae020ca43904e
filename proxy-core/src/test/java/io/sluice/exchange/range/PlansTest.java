package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.exchange.ClientRules;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the plan of a request under a rule, and its lines. */
class PlansTest {

  private static final String POINT = "SELECT k FROM ks.t WHERE k = 1";

  private final PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));
  private final Plans plans = new Plans(fixture.context, fixture.reads);

  @AfterEach
  void nothing_is_sent() {
    assertThat(fixture.sent()).isEmpty();
    fixture.close();
  }

  private <T> T planned(String cql, BiFunction<ClientRequest, Statement, T> then) {
    Frame frame = TestFrames.page(cql, 100, null);
    try {
      ClientRequest request = new ClientRequest(frame, fixture.client, new Reply());
      Statement statement =
          new ClientRules(fixture.context).apply(request, fixture.statement(frame));
      return then.apply(request, statement);
    } finally {
      frame.release();
    }
  }

  private Plan plan(String cql) {
    return planned(cql, plans::plan);
  }

  private List<PlanLine> lines(String cql) {
    return planned(cql, (request, said) -> plans.lines(request, said, plans.plan(request, said)));
  }

  private void readsGoTo(@Nullable String datacenter) {
    fixture
        .context
        .rules()
        .change(
            List.of(new Rule("there", null, null, null, null, null, null, null, null, datacenter)));
  }

  private static Plan refusal(String words) {
    return new Plan.Refuse(new Refusal(Refusal.Reason.UNAVAILABLE, words));
  }

  @Test
  void a_read_is_queued_in_the_data_centre_that_a_rule_names() {
    readsGoTo("dc1");
    assertThat(plan(POINT)).isInstanceOf(Plan.Queue.class);
    assertThat(plan(ALL)).isInstanceOf(Plan.Queue.class);
  }

  @Test
  void an_unknown_data_centre_is_refused_with_those_that_are_known() {
    readsGoTo("nowhere");
    assertThat(plan(POINT)).isEqualTo(refusal("The cluster has no such data centre, but dc1"));
    assertThat(lines(POINT).get(0))
        .isEqualTo(PlanLine.note("refuse", "The cluster has no such data centre, but dc1"));
  }

  private void areSilent() {
    for (Node node : fixture.cluster.view().ring().local()) {
      fixture.context.health().suspect(node.id(), true);
    }
  }

  /** A silent node may be up: the request finds out. */
  @Test
  void silent_nodes_of_a_data_centre_are_asked() {
    readsGoTo("dc1");
    areSilent();
    assertThat(plan(POINT)).isInstanceOf(Plan.Queue.class);
  }

  @Test
  void a_data_centre_whose_nodes_are_all_down_refuses_reads() {
    readsGoTo("dc1");
    areDown(PageFixture.NODES - 1);
    assertThat(plan(POINT)).isInstanceOf(Plan.Queue.class);
    areDown(PageFixture.NODES);
    assertThat(plan(POINT)).isEqualTo(refusal("No node is up"));
    readsGoTo(null);
    assertThat(plan(POINT)).as("without a data centre").isInstanceOf(Plan.Queue.class);
  }

  /** Reports the first nodes as down. */
  private void areDown(int count) {
    Ring ring = fixture.cluster.view().ring();
    Map<NodeId, Node> nodes = new HashMap<>();
    for (Node node : ring.local()) {
      boolean up = nodes.size() >= count;
      nodes.put(node.id(), new Node(node.id(), node.address(), "dc1", "r1", up));
    }
    fixture.context.health().changed(new Ring(ring.partitioner(), "dc1", nodes, Map.of()));
  }

  @Test
  void the_lines_of_a_point_read_have_its_forecast() {
    assertThat(lines(POINT))
        .extracting(line -> line.step().text())
        .startsWith("read", "class")
        .contains("queue", "admission")
        .doesNotContain("split", "agent", "rule");
  }

  @Test
  void the_lines_of_a_range_read_have_its_pieces() {
    assertThat(lines(ALL))
        .extracting(line -> line.step().text())
        .startsWith("split")
        .contains("agent");
  }

  @Test
  void the_lines_of_a_request_under_a_rule_end_with_the_rule() {
    readsGoTo(null);
    List<PlanLine> lines = lines(POINT);
    PlanLine last = lines.get(lines.size() - 1);
    assertThat(last.step().text()).isEqualTo("rule");
    assertThat(last.note()).contains("there");
  }

  @Test
  void a_write_is_explained_without_a_queue() {
    assertThat(lines("INSERT INTO ks.t (k) VALUES (1)"))
        .singleElement()
        .extracting(line -> line.step().text())
        .isEqualTo("forward");
  }
}
