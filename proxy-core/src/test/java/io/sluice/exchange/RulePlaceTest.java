package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.rule.Line;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.rule.Ruling;
import io.sluice.decide.rule.SessionFacts;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests a request's place under a limit of one range read at once. */
class RulePlaceTest {

  private final TestLane lane = new TestLane();
  private final Rules rules = new Rules(List.of(one()), lane);
  private final RuleQuota quota = quota();

  private static Rule one() {
    Rule.Match all = new Rule.Match(null, null, null, null, null, null, null, null, null, null);
    Rule.Limits one = new Rule.Limits(1, null, null, null, Duration.ofSeconds(2));
    return new Rule("one", all, one, null, null, null, null);
  }

  private RuleQuota quota() {
    Ruling ruling =
        rules.ruling(
            rules.session(new SessionFacts("etl", null, null, null)),
            new Classifier()
                .classify("SELECT v FROM ks.t", null, Catalog.EMPTY, TestPartitioner.ANY));
    return Objects.requireNonNull(Objects.requireNonNull(ruling).quota());
  }

  /** A request with its outcome. */
  private final class Request implements RulePlace.Holder {
    private boolean over;
    private int letIn;
    private @Nullable Limit refused;

    @Override
    public Lane lane() {
      return lane;
    }

    @Override
    public boolean isOver() {
      return over;
    }

    @Override
    public void letIn() {
      letIn++;
    }

    @Override
    public void refused(Limit limit) {
      refused = limit;
    }
  }

  private final Request request = new Request();
  private final RulePlace place = new RulePlace(quota, Line.RANGE_READS, lane, request);

  private void takeByAnother() {
    assertThat(quota.tryEnter(Line.RANGE_READS, lane.nanoTime())).isTrue();
    assertThat(place.take()).isFalse();
    assertThat(place.isInside()).isFalse();
  }

  private void leaveByAnother() {
    quota.leave(Line.RANGE_READS, 0, lane.nanoTime());
  }

  private boolean isFree() {
    boolean free = quota.tryEnter(Line.RANGE_READS, lane.nanoTime());
    if (free) {
      leaveByAnother();
    }
    return free;
  }

  @Test
  void a_free_place_is_taken_at_once_and_given_back() {
    assertThat(place.take()).isTrue();
    assertThat(isFree()).isFalse();
    place.end(3);
    assertThat(isFree()).isTrue();
    assertThat(place.waitedNanos()).isZero();
  }

  @Test
  void a_waiting_request_is_admitted_on_its_lane_with_its_wait() {
    takeByAnother();
    lane.pass(300);
    leaveByAnother();
    assertThat(request.letIn).isZero();
    lane.runSoon();
    assertThat(request.letIn).isEqualTo(1);
    assertThat(place.isInside()).isTrue();
    assertThat(place.waitedNanos()).isEqualTo(300_000_000);
    assertThat(isFree()).isFalse();
    place.end(0);
    assertThat(isFree()).isTrue();
  }

  @Test
  void a_request_that_ends_while_it_waits_is_not_admitted() {
    takeByAnother();
    request.over = true;
    place.end(0);
    assertThat(rules.facts().get(0).waiting()).isZero();
    leaveByAnother();
    lane.runSoon();
    assertThat(request.letIn).isZero();
    assertThat(isFree()).isTrue();
  }

  @Test
  void a_request_that_ends_before_its_admission_runs_gives_its_place_back() {
    takeByAnother();
    leaveByAnother();
    request.over = true;
    place.end(0);
    lane.runSoon();
    assertThat(request.letIn).isZero();
    assertThat(isFree()).isTrue();
  }

  @Test
  void another_exchange_may_take_over_the_place() {
    takeByAnother();
    Request next = new Request();
    place.handTo(next);
    leaveByAnother();
    lane.runSoon();
    assertThat(request.letIn).isZero();
    assertThat(next.letIn).isEqualTo(1);
  }

  @Test
  void a_request_is_refused_after_the_longest_wait() {
    takeByAnother();
    lane.pass(1_990);
    assertThat(request.refused).isNull();
    lane.pass(20);
    assertThat(request.refused).isEqualTo(Limit.RANGE_READS);
    leaveByAnother();
    lane.runSoon();
    assertThat(request.letIn).isZero();
    assertThat(isFree()).isTrue();
    assertThat(lane.scheduled()).isZero();
  }
}
