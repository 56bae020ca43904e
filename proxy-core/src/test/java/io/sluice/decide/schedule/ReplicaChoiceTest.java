package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.C;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the choice among the replicas of an entry. All nodes work at the same speed. */
class ReplicaChoiceTest {

  private static final NodeId UNKNOWN = new NodeId(new UUID(0, 9));

  /** The work that all nodes do in a time. */
  private static final int SLOTS = 4;

  private final Bench bench = new Bench(Bench.remainingWork(SLOTS), 8);
  private final ReplicaChoice choice = new ReplicaChoice(Mode.ENFORCE);
  private final LockedNodeQueue a = queue(A);
  private final LockedNodeQueue b = queue(B);
  private final LockedNodeQueue c = queue(C);

  private LockedNodeQueue queue(NodeId node) {
    return new LockedNodeQueue(
        new NodeLimits(node, 8),
        Bench.remainingWork(SLOTS),
        new NodeCosts(3),
        bench.time,
        choice,
        entry -> {});
  }

  @BeforeEach
  void three_nodes() {
    choice.queues(Map.of(A, a, B, b, C, c));
  }

  /** Adds a read of this work. */
  private void load(LockedNodeQueue queue, double micros) {
    double rows = (micros - Bench.work(0) / 1000) / ((Bench.work(1) - Bench.work(0)) / 1000);
    assertThat(queue.offer(bench.demand(bench.range(rows), rows, queue.node()))).isTrue();
  }

  private TestDemand entry(NodeId... replicas) {
    return bench.demand(bench.range(10), 10, replicas);
  }

  private @Nullable NodeId best(NodeId... replicas) {
    LockedNodeQueue best = choice.best(entry(replicas));
    return best == null ? null : best.node();
  }

  @ParameterizedTest
  @CsvSource({"1000, 910, true", "1000, 890, false", "910, 1000, true"})
  void a_preferred_replica_is_left_for_one_that_needs_less_than_nine_tenths(
      double first, double second, boolean stays) {
    load(a, first);
    load(b, second);
    assertThat(best(A, B)).isEqualTo(stays ? A : B);
  }

  @Test
  void each_replica_is_compared_with_the_best_of_those_before_it() {
    load(a, 1000);
    load(b, 950);
    load(c, 880);
    assertThat(best(A, B, C)).isEqualTo(C);
    load(b, 400);
    load(a, 400);
    load(c, 400);
    assertThat(best(C, B, A)).as("1280, 1350, 1400").isEqualTo(C);
  }

  @Test
  void a_replica_that_is_not_known_is_passed_over() {
    load(a, 1000);
    assertThat(best(UNKNOWN, A)).isEqualTo(A);
    assertThat(best(UNKNOWN)).isNull();
    choice.queues(Map.of(B, b));
    assertThat(best(A, B)).isEqualTo(B);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void the_load_decides_unless_requests_only_pass(Mode mode) {
    load(a, 1000);
    choice.mode(mode);
    assertThat(best(A, B)).isEqualTo(mode == Mode.PASSTHROUGH ? A : B);
    assertThat(new ReplicaChoice(mode).best(entry(A))).as("without nodes").isNull();
  }

  @Test
  void a_mode_applies_from_the_creation_on() {
    ReplicaChoice passing = new ReplicaChoice(Mode.PASSTHROUGH);
    passing.queues(choice.queues());
    load(a, 1000);
    assertThat(passing.best(entry(A, B))).isSameAs(a);
    passing.mode(Mode.ENFORCE);
    assertThat(passing.best(entry(A, B))).isSameAs(b);
  }

  @Test
  void the_standing_comes_before_the_load() {
    load(c, 100_000);
    a.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    b.standing(NodeStanding.AVOIDED, SchedulerWitness.NONE);
    assertThat(best(A, B, C)).isEqualTo(C);
    assertThat(best(A, B)).isEqualTo(B);
    assertThat(best(A)).isEqualTo(A);
  }

  @Test
  void among_replicas_of_a_lower_standing_the_load_decides() {
    a.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    b.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    load(a, 1000);
    assertThat(best(A, B)).isEqualTo(B);
  }

  @Test
  void a_better_replica_is_a_known_one_of_a_higher_standing() {
    assertThat(choice.hasBetter(entry(A, B, C), a)).isFalse();
    a.standing(NodeStanding.AVOIDED, SchedulerWitness.NONE);
    assertThat(choice.hasBetter(entry(A, B), a)).isTrue();
    assertThat(choice.hasBetter(entry(B, A), a)).isTrue();
    assertThat(choice.hasBetter(entry(A, UNKNOWN), a)).isFalse();
    b.standing(NodeStanding.AVOIDED, SchedulerWitness.NONE);
    assertThat(choice.hasBetter(entry(A, B), a)).isFalse();
    a.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    assertThat(choice.hasBetter(entry(A, B), a)).isTrue();
    assertThat(choice.hasBetter(entry(A, B), b)).isFalse();
  }

  /** Returns an entry whose turn has come at node A, and that an idle node does in 1 ms. */
  private TestDemand turn(NodeId... replicas) {
    TestDemand entry = entry(replicas);
    entry.workNanos = SLOTS * Bench.MS;
    load(a, 50_000);
    return entry;
  }

  @Test
  void an_entry_leaves_for_a_replica_that_needs_less_than_half_of_the_time() {
    TestDemand entry = turn(A, B);
    assertThat(choice.isWorthLeaving(entry, a, 2 * Bench.MS)).isFalse();
    assertThat(choice.isWorthLeaving(entry, a, 2 * Bench.MS + 1)).isTrue();
    load(b, SLOTS * 1000);
    assertThat(choice.isWorthLeaving(entry, a, 3.9 * Bench.MS)).isFalse();
    assertThat(choice.isWorthLeaving(entry, a, 4.1 * Bench.MS)).isTrue();
  }

  @Test
  void an_entry_stays_if_no_other_normal_replica_has_less_to_do() {
    assertThat(choice.isWorthLeaving(turn(A), a, 1e12)).as("the only replica").isFalse();
    assertThat(choice.isWorthLeaving(turn(A, UNKNOWN), a, 1e12)).isFalse();
    TestDemand entry = turn(A, B);
    load(b, 500_000);
    assertThat(choice.isWorthLeaving(entry, a, 1e12)).as("the other has more to do").isFalse();
    TestDemand third = turn(A, C);
    c.standing(NodeStanding.AVOIDED, SchedulerWitness.NONE);
    assertThat(choice.isWorthLeaving(third, a, 1e12)).as("the other is avoided").isFalse();
    a.standing(NodeStanding.SUSPECT, SchedulerWitness.NONE);
    assertThat(choice.isWorthLeaving(third, a, 1e12)).as("no replica is normal").isFalse();
  }

  @Test
  void no_entry_leaves_while_requests_only_pass() {
    TestDemand entry = turn(B, A);
    choice.mode(Mode.PASSTHROUGH);
    assertThat(choice.isWorthLeaving(entry, a, 1e12)).isFalse();
    choice.mode(Mode.OBSERVE);
    assertThat(choice.isWorthLeaving(entry, a, 1e12)).isTrue();
  }
}
