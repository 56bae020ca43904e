package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.link.MemoryNodes;
import io.sluice.testkit.Records;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which late reads are also sent to another replica. */
class HedgeChoiceTest extends HedgeFixture {

  @Test
  void a_read_has_one_second_request_at_most() {
    learn();
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    lane.pass(100);
    sentNoneTo(3);
    first.answer(rows(1));
    second.answer(rows(1));
  }

  @Test
  void hedged_reads_stay_within_the_share() {
    share(0.02);
    learn();
    earn(10);
    int hedged = 0;
    for (int i = 0; i < 20; i++) {
      read();
      MemoryNodes.Asked first = sentTo(1);
      lane.pass(LATE_MILLIS);
      MemoryNodes.Asked second = nodes.next(2);
      if (second != null) {
        second.answer(rows(1));
        hedged++;
      }
      first.answer(rows(1));
    }
    int sent = 300 + 40 + 10 + 20;
    assertThat(hedged).isBetween(1, (int) (0.02 * sent));
    assertThat(skipped("share")).isPositive();
  }

  @Test
  void serial_and_traced_reads_are_never_hedged() {
    learn();
    List<Frame> frames =
        List.of(frame(READ, SERIAL, false), frame(READ, SERIAL + 1, false), frame(READ, ONE, true));
    for (Frame frame : frames) {
      read(frame);
      MemoryNodes.Asked first = sentTo(1);
      lane.pass(LATE_MILLIS);
      sentNoneTo(2);
      sentNoneTo(3);
      first.answer(rows(1));
    }
  }

  @Test
  void no_read_is_hedged_without_a_share_or_before_durations_are_known() {
    earn(50);
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(50);
    sentNoneTo(2);
    first.answer(rows(1));

    learn();
    share(0);
    read();
    first = sentTo(1);
    lane.pass(50);
    sentNoneTo(2);
    first.answer(rows(1));
  }

  @Test
  void a_suspect_or_avoided_replica_gets_no_second_request() {
    learn();
    health.suspect(id(2), true);
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    sentTo(3).answer(rows(1));
    first.answer(rows(1));

    health.avoid(id(3), true);
    read();
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    sentNoneTo(3);
    assertThat(skipped("busy")).isEqualTo(1);
    first.answer(rows(1));
    health.suspect(id(2), false);
    health.avoid(id(3), false);
  }

  /** At most twenty unused hedges are saved. */
  @Test
  void a_hedge_that_no_replica_could_take_is_left_to_other_reads() {
    learn();
    health.avoid(id(2), true);
    health.avoid(id(3), true);
    for (int i = 0; i < 25; i++) {
      read();
      MemoryNodes.Asked first = sentTo(1);
      lane.pass(10);
      first.answer(rows(1));
    }
    assertThat(skipped("busy")).isEqualTo(25);
    assertThat(skipped("share")).isZero();
    health.avoid(id(2), false);
    health.avoid(id(3), false);
  }

  @Test
  void no_read_is_hedged_while_the_other_replicas_are_full() {
    learn();
    List<Permit> held = new ArrayList<>();
    for (int node = 2; node <= 3; node++) {
      held.add(hold(node));
      held.add(hold(node));
    }
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    sentNoneTo(3);
    assertThat(skipped("busy")).isEqualTo(1);
    held.forEach(Permit::finishAbandoned);
    first.answer(rows(1));
  }

  private Permit hold(int node) {
    QueryFacts facts = QueryFacts.point("ks.other", "other", Long.MAX_VALUE / 2);
    List<Permit> granted = new ArrayList<>();
    scheduler.submit(
        new Demand(scheduler.query(facts), 0, List.of(id(node)), 1) {
          @Override
          protected void start(Permit permit) {
            granted.add(permit);
          }

          @Override
          protected void refuse(Refusal refusal) {
            throw new AssertionError(refusal.message());
          }
        });
    return granted.get(0);
  }

  @Test
  void reads_that_are_answered_in_time_leave_no_timers() {
    learn();
    int timers = lane.scheduled();
    earn(100);
    assertThat(lane.scheduled()).as("timers").isLessThanOrEqualTo(timers + 1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    assertThat(counted("won") + counted("lost") + counted("failed")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM ks.t WHERE k IN (1, 2)",
        "/* sluice: priority=low */ " + READ,
      })
  void reads_of_several_partitions_and_of_low_priority_are_never_hedged(String cql) {
    learn();
    read(frame(cql, ONE, false));
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2, 3);
    first.answer(rows(1));
  }

  @Test
  void a_read_of_one_replica_is_never_hedged() {
    learn();
    read(frame(READ, ONE, false), List.of(id(1)));
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2, 3);
    assertThat(skipped("busy") + skipped("share")).isZero();
    first.answer(rows(1));
  }

  @Test
  void no_read_is_hedged_unless_the_mode_is_enforce() {
    learn();
    settings.updateAndGet(
        now -> Records.with(now, "scheduling", now.scheduling().in(SchedulingConfig.Mode.OBSERVE)));
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2, 3);
    first.answer(rows(1));
  }
}
