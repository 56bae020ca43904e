package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.rule.Rule.Action;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.statement.Statement;
import io.sluice.testkit.Records;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the scheduler is told about a read. */
class ReadQueryTest extends ExchangeFixture {

  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private Query query(String cql, PriorityClass of) {
    return query(cql, new Plan.Queue(ids(), of, 20, 30, 7));
  }

  private Query query(String cql, Plan.Queue plan) {
    Frame frame = CqlCodec.query(4, cql);
    Statement statement = new ClientRules(context).apply(unanswered(frame), statement(frame));
    Query query = ReadQuery.of(context, unanswered(frame), statement, plan, lane.nanoTime());
    frame.release();
    return query;
  }

  @Test
  void the_estimates_of_the_plan_and_the_role_are_the_facts_of_the_query() {
    client.proven = Identity.plain("etl", "secret");
    QueryFacts facts = query(READ, PriorityClass.POINT).facts();
    assertThat(facts.priorityClass()).isEqualTo(PriorityClass.POINT);
    assertThat(facts.share().tenant()).isEqualTo("etl");
    assertThat(facts.rows()).isEqualTo(20);
    assertThat(facts.limit()).isEqualTo(30);
    assertThat(facts.width()).isEqualTo(1);
    assertThat(facts.fingerprint()).isEqualTo(7);
    assertThat(facts.share().weight()).isZero();
    assertThat(facts.share().last()).isFalse();
  }

  /** Reads that return other rows than they read have costs of their own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POINT | SELECT v FROM ks.t WHERE k = 1         | ks.t",
        "POINT | SELECT count(*) FROM ks.t WHERE k = 1  | ks.t",
        "POINT | SELECT v FROM ks.other WHERE k = 1     | ''",
        "RANGE | SELECT v FROM ks.t                     | ks.t",
        "RANGE | SELECT count(*) FROM ks.t              | ks.t AGGREGATE",
        "RANGE | SELECT v FROM ks.other                 | ''",
        "POINT | what is this                           | ''"
      })
  void costs_are_learned_for_each_known_table(PriorityClass of, String cql, String costs) {
    assertThat(query(cql, of).facts().table()).isEqualTo(costs);
  }

  /** The hash of the name is then computed once, and not for each execution. */
  @Test
  void all_executions_of_a_statement_have_the_same_object_as_the_name_of_their_costs() {
    Frame frame = CqlCodec.query(4, READ);
    Statement statement = statement(frame);
    Plan.Queue plan = new Plan.Queue(ids(), PriorityClass.POINT, 1, 1, 7);
    Query first = ReadQuery.of(context, unanswered(frame), statement, plan, lane.nanoTime());
    Query second = ReadQuery.of(context, unanswered(frame), statement, plan, lane.nanoTime());
    assertThat(second.facts().table()).isSameAs(first.facts().table());
    frame.release();
  }

  @ParameterizedTest
  @CsvSource({"POINT, 5000", "RANGE, 10000"})
  void the_deadline_is_that_of_the_class_of_the_read(PriorityClass of, long millis) {
    assertThat(query(READ, of).deadlineNanos()).isEqualTo(lane.nanoTime() + millis * MS);
  }

  @Test
  void a_rule_shortens_the_deadline_and_sets_share_and_place() {
    client.proven = Identity.plain("etl", "secret");
    rules.change(
        List.of(
            Records.with(
                rule(),
                "timeout",
                Duration.ofMillis(250),
                "weight",
                3.0,
                "action",
                Action.QUEUE_LAST)));
    Query query = query(READ, PriorityClass.POINT);
    assertThat(query.deadlineNanos()).isEqualTo(lane.nanoTime() + 250 * MS);
    assertThat(query.facts().share().tenant()).isEqualTo("etl by rule r");
    assertThat(query.facts().share().weight()).isEqualTo(3);
    assertThat(query.facts().share().last()).isTrue();
  }

  @Test
  void the_point_reads_of_the_client_are_ahead_of_its_next_point_read_only() {
    client.pointReads.begins(12_345);
    client.pointReads.begins(23_456);
    QueryFacts point = query(READ, PriorityClass.POINT).facts();
    assertThat(point.others().underWay()).isEqualTo(2);
    assertThat(point.others().latestNanos()).isEqualTo(23_456);
    assertThat(query(READ, PriorityClass.RANGE).facts().others().underWay()).isZero();
    client.pointReads.ends();
    client.pointReads.ends();
  }

  /** The next read of the client is queued behind it. */
  @Test
  void a_point_read_that_begins_tells_its_place_to_the_next_one() {
    long first = lane.nanoTime();
    read(PriorityClass.POINT);
    assertThat(client.pointReads.latestNanos()).isEqualTo(first);
    read(PriorityClass.POINT);
    assertThat(client.pointReads.latestNanos()).isGreaterThan(first);
    sentTo(1).answer(rows(1));
    nodes.ignoreAll();
  }
}
