package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import io.sluice.watch.ClusterView;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.RangeHint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what EXPLAIN predicts of a read that came now. Each node has two slots. */
class ForecastTest extends ExchangeFixture {

  private static final long FINGERPRINT = 7;

  private final Frame frame = CqlCodec.query(4, READ);

  ForecastTest() {
    share(0);
  }

  @AfterEach
  void release() {
    frame.release();
  }

  private Forecast forecast(Query query) {
    return new Forecast(context, unanswered(frame), query, cluster.view().ring());
  }

  private Forecast forecast(PriorityClass of, double rows, NodeId... nodes) {
    Forecast forecast = forecast(query(of, rows));
    forecast.add(line(nodes), rows);
    return forecast;
  }

  private Query query(PriorityClass of, double rows) {
    return scheduler.query(
        new QueryFacts(of, "ks.t", "etl", Long.MAX_VALUE / 2, rows, Integer.MAX_VALUE, 1));
  }

  private static PlanLine line(NodeId... nodes) {
    return new PlanLine("read", List.of(nodes), "", 1.0, "");
  }

  private Forecast point(NodeId... nodes) {
    return forecast(PriorityClass.POINT, 1, nodes);
  }

  private Forecast range(NodeId... nodes) {
    return forecast(PriorityClass.RANGE, 1, nodes);
  }

  private void read(PriorityClass of, int count) {
    for (int i = 0; i < count; i++) {
      read(of, id(1));
    }
  }

  /** Lets time pass and the reads in flight at node 1 end. */
  private void served() {
    lane.pass(400);
    List<MemoryNodes.Asked> inFlight = new ArrayList<>();
    for (var next = nodes.next(1); next != null; next = nodes.next(1)) {
      inFlight.add(next);
    }
    inFlight.forEach(each -> each.answer(rows(1)));
  }

  private static @Nullable Object fact(PlanLine line, String name) {
    assertThat(line.facts()).containsKey(name);
    return line.facts().get(name);
  }

  @Test
  void the_work_of_a_request_is_that_of_the_scheduler() {
    Query query = query(PriorityClass.RANGE, 1_000);
    PlanLine work = forecast(query).add(line(id(1)), 1_000);
    double predicted =
        Objects.requireNonNull(scheduler.preview(query, List.of(id(1)), 1_000)).workMicros();
    assertThat(work.workMicros()).isEqualTo(predicted);
    assertThat(forecast(query).add(line(id(1)), 10).workMicros()).isLessThan(predicted);
  }

  @Test
  void a_request_that_any_node_can_take_has_the_work_of_the_client_s_first_node() {
    Query query = query(PriorityClass.POINT, 1);
    Forecast forecast = forecast(query);
    PlanLine work = forecast.add(line(), 1);
    assertThat(work.workMicros())
        .isEqualTo(Objects.requireNonNull(scheduler.preview(query, ids(), 1)).workMicros());
    assertThat(work.nodes()).isEmpty();
    assertThat(forecast.queueLines()).isEmpty();
    scheduler.nodes(List.of());
    assertThat(forecast(query(PriorityClass.POINT, 1)).add(line(), 1).workMicros()).isNaN();
  }

  @Test
  void the_first_request_decides_on_class_and_admission() {
    Query query = query(PriorityClass.POINT, 1);
    Forecast forecast = forecast(query);
    assertThat(forecast.add(line(new NodeId(new UUID(9, 9))), 1).workMicros()).isNaN();
    forecast.add(line(id(1)), 1);
    assertThat(forecast.classLine().note()).isEqualTo("unknown");
    assertThat(fact(forecast.classLine(), "class")).isNull();
    assertThat(forecast.admissionLine().note())
        .isEqualTo("would be refused now: no replica that could answer is known");
    assertThat(forecast.admissionLine().nodes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POINT | 1   | point | a read of one partition, or of a few, takes any slot",
        "POINT | 200 | range | a read of so many keys is predicted to cost more than four reads of"
            + " one row, and takes a slot for range reads",
        "RANGE | 1   | range | a read of a token range takes one of the node's slots for range"
            + " reads"
      })
  void the_class_has_its_reason(PriorityClass of, double rows, String slots, String why) {
    PlanLine line = forecast(of, rows, id(1)).classLine();
    assertThat(line.note()).isEqualTo(slots + ": " + why);
    assertThat(line.facts())
        .containsEntry("class", slots)
        .containsEntry("why", why)
        .containsEntry("mode", "enforce");
    assertThat(line.workMicros()).isEqualTo(query(of, rows).remainingMicros());
  }

  @Test
  void a_read_whose_latest_answer_was_large_takes_a_slot_of_range_reads() {
    Plan.Queue plan =
        new Plan.Queue(List.of(id(1)), PriorityClass.POINT, 1, Integer.MAX_VALUE, FINGERPRINT);
    ask(CqlCodec.query(4, READ), (request, statement) -> exchanges.read(request, statement, plan));
    sentTo(1).answer(rows(200_000));
    QueryFacts again =
        Records.with(
            QueryFacts.point("ks.t", "etl", Long.MAX_VALUE / 2), "fingerprint", FINGERPRINT);
    Forecast forecast = forecast(scheduler.query(again));
    forecast.add(line(id(1)), 1);
    assertThat(forecast.classLine().note())
        .startsWith("range: a read whose latest answer was large is predicted to cost more");
  }

  @Test
  void each_node_of_the_plan_has_one_line_of_its_queue_and_unknown_nodes_have_none() {
    Forecast forecast = point(id(2), new NodeId(new UUID(9, 9)), id(1));
    forecast.add(line(id(1), id(3)), 1);
    assertThat(forecast.queueLines())
        .extracting(PlanLine::nodes)
        .containsExactly(List.of(id(2)), List.of(id(1)), List.of(id(3)));
  }

  private PlanLine queue(Forecast forecast) {
    assertThat(forecast.queueLines()).hasSize(1);
    return forecast.queueLines().get(0);
  }

  @Test
  void an_empty_queue_shows_the_slots_that_are_taken_by_reads_of_both_classes() {
    assertThat(queue(point(id(1))).note()).isEqualTo("no point read waits; 0 of 2 slots taken");
    assertThat(queue(range(id(1))).note())
        .isEqualTo("no range read waits; 0 of 1 range slots taken");
    read(PriorityClass.POINT, 1);
    read(PriorityClass.RANGE, 1);
    PlanLine points = queue(point(id(1)));
    assertThat(points.note()).isEqualTo("no point read waits; 2 of 2 slots taken");
    assertThat(points.facts())
        .hasToString("{queued=0, wait_ms=0.0, slots=2, slots_taken=2, standing=normal}");
    assertThat(queue(range(id(1))).note())
        .isEqualTo("no range read waits; 1 of 1 range slots taken");
  }

  /** A read of many keys waits among the point reads, for a slot of range reads. */
  @Test
  void a_read_of_many_keys_shows_the_point_reads_that_wait_and_the_slots_of_range_reads() {
    read(PriorityClass.RANGE, 1);
    assertThat(queue(forecast(PriorityClass.POINT, 200, id(1))).note())
        .isEqualTo("no point read waits; 1 of 1 range slots taken");
  }

  @ParameterizedTest
  @CsvSource({
    "POINT, 3, unknown time for a slot: 1 point read waits; 2 of 2 slots taken",
    "POINT, 4, unknown time for a slot: 2 point reads wait; 2 of 2 slots taken",
    "RANGE, 2, unknown time for a slot: 1 range read waits; 1 of 1 range slots taken",
    "RANGE, 4, unknown time for a slot: 3 range reads wait; 1 of 1 range slots taken"
  })
  void a_wait_is_unknown_until_reads_have_been_answered(PriorityClass of, int reads, String note) {
    read(of, reads);
    PlanLine line = queue(forecast(of, 1, id(1)));
    assertThat(line.note()).isEqualTo(note);
    assertThat(fact(line, "wait_ms")).isNull();
    PlanLine admission = forecast(of, 1, id(1)).admissionLine();
    assertThat(admission.note()).isEqualTo("would be let in, and wait for an unknown time");
    assertThat(fact(admission, "wait_ms")).isNull();
    assertThat(fact(admission, "starts")).isEqualTo(false);
    assertThat(fact(admission, "refused")).isEqualTo(false);
  }

  @ParameterizedTest
  @EnumSource(PriorityClass.class)
  void the_wait_of_a_queue_and_of_the_read_is_that_of_the_scheduler(PriorityClass of) {
    read(of, 7);
    served();
    served();
    var state = Objects.requireNonNull(scheduler.state(id(1)));
    ClassState waiting = of == PriorityClass.POINT ? state.point() : state.range();
    double micros = waiting.expectedNanos() / 1e3;
    assertThat(micros).isPositive();
    PlanLine line = queue(forecast(of, 1, id(1)));
    assertThat(line.note()).startsWith("about " + PlanLine.millis(micros) + " for a slot: ");
    assertThat(fact(line, "wait_ms")).isEqualTo(micros / 1e3);
    assertThat(fact(line, "queued")).isEqualTo(waiting.queued());
    PlanLine admission = forecast(of, 1, id(1)).admissionLine();
    assertThat(admission.note())
        .isEqualTo("would be let in, and wait about " + PlanLine.millis(micros));
    assertThat(fact(admission, "wait_ms")).isEqualTo(micros / 1e3);
    assertThat(admission.nodes()).containsExactly(id(1));
  }

  @Test
  void the_standing_of_a_node_is_shown_unless_it_is_normal() {
    health.avoid(id(1), true);
    PlanLine avoided = queue(point(id(1)));
    assertThat(avoided.note()).endsWith(" slots taken; the node is avoided");
    assertThat(fact(avoided, "standing")).isEqualTo("avoided");
    health.suspect(id(1), true);
    PlanLine suspect = queue(point(id(1)));
    assertThat(suspect.note()).endsWith(" slots taken; the node does not answer");
    assertThat(fact(suspect, "standing")).isEqualTo("suspect");
    health.avoid(id(1), false);
    health.suspect(id(1), false);
  }

  @Test
  void an_idle_node_would_start_the_read_at_once() {
    PlanLine line = point(id(1), id(2)).admissionLine();
    assertThat(line.note()).isEqualTo("would be let in, and start at once");
    assertThat(line.nodes()).containsExactly(id(1));
    assertThat(line.facts())
        .containsEntry("refused", false)
        .containsEntry("starts", true)
        .containsEntry("wait_ms", 0.0);
  }

  @Test
  void a_refusal_of_admission_is_predicted_with_its_message() {
    client.proven = Identity.plain("etl", "secret");
    read(PriorityClass.POINT, 60);
    for (int i = 0; i < 12; i++) {
      served();
    }
    PlanLine line = point(id(1)).admissionLine();
    assertThat(line.note())
        .startsWith("would be refused now: Point reads have to wait about ")
        .contains("scheduling.pointBacklog");
    assertThat(line.nodes()).containsExactly(id(1));
    assertThat(fact(line, "refused")).isEqualTo(true);
    assertThat(line.note()).endsWith(String.valueOf(fact(line, "reason")));
  }

  @Test
  void a_refusal_for_memory_concerns_range_reads_only() {
    client.rangeRefusal = "too large";
    PlanLine line = range(id(1)).admissionLine();
    assertThat(line.note()).isEqualTo("would be refused now: too large");
    assertThat(line.nodes()).isEmpty();
    assertThat(fact(line, "reason")).isEqualTo("too large");
    assertThat(fact(point(id(1)).admissionLine(), "refused")).isEqualTo(false);
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OBSERVE", "PASSTHROUGH"})
  void nothing_waits_unless_the_mode_is_enforce(Mode mode) {
    read(PriorityClass.POINT, 3);
    scheduler.change(SchedulingConfig.defaults().in(mode));
    String name = mode.name().toLowerCase(Locale.ROOT);
    Forecast forecast = point(id(1));
    assertThat(forecast.admissionLine().note())
        .isEqualTo("starts at once: scheduling.mode is " + name + ", nothing waits");
    assertThat(fact(forecast.classLine(), "mode")).isEqualTo(name);
  }

  private void agents(boolean hints, Mode mode, NodeId... nodes) {
    scheduling(SchedulingConfig.defaults().in(mode));
    settings.updateAndGet(now -> Records.with(now, "hints", hints));
    Map<NodeId, NodeAgent> agents = new HashMap<>();
    List.of(nodes).forEach(node -> agents.put(node, NodeAgent.ORDERS));
    ClusterView view = cluster.view();
    cluster.becomes(new ClusterView(view.ring(), view.catalog(), Map.of(), agents));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | ENFORCE     | 4 | nodeAgent.hints is off",
        "true  | PASSTHROUGH | 4 | scheduling.mode is passthrough",
        "true  | ENFORCE     | 3 | protocol 3 cannot carry one",
      })
  void a_hint_that_is_not_sent_has_its_reason(boolean hints, Mode mode, int version, String why) {
    client = new TestClient(version, lane);
    agents(hints, mode, id(1));
    PlanLine line = range(id(1)).agentLine(new RangeHint(1, 10));
    assertThat(line.note()).isEqualTo("no hint: " + why);
    assertThat(fact(line, "hint")).isEqualTo(false);
  }

  @Test
  void nodes_without_an_agent_get_no_hint() {
    agents(true, Mode.ENFORCE, id(3));
    assertThat(range(id(1), id(2)).agentLine(new RangeHint(1, 10)).note())
        .isEqualTo("no hint: none of the nodes has Sluice's agent");
    PlanLine line = range(id(1), id(3)).agentLine(new RangeHint(1, 10));
    assertThat(line.nodes()).containsExactly(id(3));
  }

  @ParameterizedTest
  @CsvSource({"0, , as wide as the node makes it", "1, 1, 1 piece", "8, 8, 8 pieces"})
  void a_hint_shows_its_width_and_its_rows(int width, @Nullable Integer known, String text) {
    agents(true, Mode.OBSERVE, id(1));
    PlanLine line = range(id(1)).agentLine(new RangeHint(width, 50));
    assertThat(line.note()).isEqualTo("a hint goes along: " + text + ", 50 rows");
    assertThat(fact(line, "hint")).isEqualTo(true);
    assertThat(fact(line, "hint_width")).isEqualTo(known);
    assertThat(fact(line, "hint_rows")).isEqualTo(50L);
  }

  private List<String> steps(PriorityClass of) {
    List<String> steps = new ArrayList<>();
    ask(
        CqlCodec.query(4, READ),
        (request, statement) -> {
          Plan.Queue plan = new Plan.Queue(List.of(id(1)), of, 1, Integer.MAX_VALUE, 0);
          exchanges
              .forecast(request, statement, plan, List.of(line(id(1)), PlanLine.note("x", "")))
              .forEach(each -> steps.add(each.step().text()));
          return new OwnExchange(context, request, statement, own -> own.end("explained"));
        });
    return steps;
  }

  @Test
  void the_forecast_of_a_whole_read_follows_its_plan_and_shows_the_agent_for_ranges() {
    assertThat(steps(PriorityClass.POINT))
        .containsExactly("read", "x", "class", "queue", "admission");
    assertThat(steps(PriorityClass.RANGE))
        .containsExactly("read", "x", "class", "queue", "agent", "admission");
  }
}
