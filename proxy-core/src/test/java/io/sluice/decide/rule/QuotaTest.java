package io.sluice.decide.rule;

import static io.sluice.decide.rule.Line.OTHERS;
import static io.sluice.decide.rule.Line.RANGE_READS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota.Entrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits under virtual time: requests come, wait, are over and leave at random. */
class QuotaTest {

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = 100 * SECOND;
  private long tickAt = Long.MAX_VALUE;

  /** A request and its outcome. */
  private final class Asked extends Entrant {
    private final long asked = now;
    private boolean underWay;
    private @Nullable Limit refusedFor;
    private int ends;
    private long begun;

    Asked(Line line) {
      super(line);
    }

    @Override
    protected void letIn() {
      ends++;
      underWay = true;
      begun = now;
    }

    @Override
    protected void refused(Limit reason) {
      ends++;
      refusedFor = reason;
    }
  }

  private Asked ask(RuleQuota quota, Line line) {
    Asked asked = new Asked(line);
    if (quota.tryEnter(line, now)) {
      asked.letIn();
    } else {
      tickIn(quota.join(asked, now));
    }
    return asked;
  }

  private void tickIn(long nanos) {
    if (nanos != RuleQuota.NO_TICK) {
      tickAt = Math.min(tickAt, now + nanos);
    }
  }

  private void leave(RuleQuota quota, Asked asked, long rows) {
    asked.underWay = false;
    tickIn(quota.leave(asked.line, rows, now));
  }

  private void advance(RuleQuota quota, long nanos) {
    long until = now + nanos;
    while (tickAt <= until) {
      now = tickAt;
      tickAt = Long.MAX_VALUE;
      tickIn(quota.tick(now));
    }
    now = until;
  }

  private RuleQuota quota(
      @Nullable Integer ranges, @Nullable Integer requests, @Nullable Integer rows) {
    return new RuleQuota(TestRules.limits(ranges, requests, rows), now);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void no_limit_is_ever_exceeded_and_everything_ends_once(long seed) {
    Random random = new Random(seed);
    int most = 1 + random.nextInt(4);
    int rate = 20 + random.nextInt(100);
    RuleQuota quota = quota(most, rate, seed % 2 == 0 ? 5_000 : null);
    List<Asked> all = new ArrayList<>();
    List<Asked> open = new ArrayList<>();
    long begun = now;
    for (int i = 0; i < 1_500; i++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          Asked asked = ask(quota, Line.of(random.nextBoolean()));
          all.add(asked);
          open.add(asked);
        }
        case 2 -> {
          if (!open.isEmpty()) {
            Asked one = open.remove(random.nextInt(open.size()));
            if (one.underWay) {
              leave(quota, one, random.nextInt(100));
            } else if (one.ends == 0) {
              assertThat(quota.cancel(one)).isTrue();
              one.ends++;
            }
          }
        }
        default -> advance(quota, random.nextInt(20) * MILLI);
      }
      assertThat(all.stream().filter(each -> each.underWay && each.line == RANGE_READS).count())
          .isLessThanOrEqualTo(most);
      QuotaUse use = quota.use(now);
      assertThat(use.requestTokens()).isBetween(0.0, (double) rate);
      double seconds = (now - begun) / (double) SECOND;
      assertThat((double) use.letIn()).isLessThanOrEqualTo(rate + rate * seconds + 1e-6);
      assertThat(all).allMatch(each -> each.ends <= 1);
      assertThat(all.stream().filter(each -> each.ends == 0))
          .allMatch(each -> now - each.asked <= SECOND);
    }
    advance(quota, 10 * SECOND);
    open.stream().filter(each -> each.underWay).forEach(each -> leave(quota, each, 0));
    advance(quota, 10 * SECOND);
    QuotaUse end = quota.use(now);
    assertThat(end.rangesUnderWay())
        .isEqualTo(all.stream().filter(e -> e.underWay && e.line == RANGE_READS).count());
    assertThat(end.waiting()).isZero();
    assertThat(all).allMatch(each -> each.ends == 1);
    long refused = all.stream().filter(each -> each.refusedFor != null).count();
    assertThat(end.refused().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(refused);
    assertThat(end.letIn()).isEqualTo(all.stream().filter(each -> each.begun > 0).count());
  }

  @Test
  void a_range_read_waits_for_a_place_and_gets_it_the_moment_it_is_free() {
    RuleQuota quota = quota(1, null, null);
    Asked first = ask(quota, RANGE_READS);
    Asked second = ask(quota, RANGE_READS);
    Asked point = ask(quota, OTHERS);
    assertThat(first.underWay).isTrue();
    assertThat(second.underWay).isFalse();
    assertThat(point.underWay).as("a point read needs no place of a range read").isTrue();

    now += 300 * MILLI;
    leave(quota, first, 0);

    assertThat(second.underWay).isTrue();
    assertThat(second.begun - second.asked).isEqualTo(300 * MILLI);
  }

  @Test
  void what_waits_too_long_is_refused_with_the_limit_that_kept_it_out() {
    RuleQuota quota = quota(1, null, null);
    ask(quota, RANGE_READS);
    Asked second = ask(quota, RANGE_READS);
    advance(quota, SECOND - 1);
    assertThat(second.refusedFor).isNull();
    advance(quota, 1);
    assertThat(second.refusedFor).isEqualTo(Limit.RANGE_READS);
    assertThat(quota.use(now).refused()).containsEntry(Limit.RANGE_READS, 1L);
  }

  @Test
  void requests_beyond_the_rate_come_at_its_pace_in_their_order() {
    RuleQuota quota = quota(null, 10, null);
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      all.add(ask(quota, Line.of(i % 2 == 0)));
    }
    assertThat(all.stream().filter(each -> each.underWay).count()).isEqualTo(10);
    advance(quota, 2 * SECOND);
    for (int i = 10; i < 19; i++) {
      assertThat(all.get(i).begun - all.get(i).asked)
          .as("request %d", i)
          .isBetween((i - 9) * 100L * MILLI, (i - 9) * 100L * MILLI + MILLI);
    }
    assertThat(all.subList(20, 25)).allMatch(each -> each.refusedFor == Limit.REQUESTS_PER_SECOND);
  }

  @Test
  void rows_that_were_returned_beyond_the_rate_are_paid_by_a_wait() {
    RuleQuota quota = quota(null, null, 100);
    leave(quota, ask(quota, RANGE_READS), 150);
    assertThat(quota.use(now).rowTokens()).isEqualTo(-50);

    Asked next = ask(quota, OTHERS);
    advance(quota, 2 * SECOND);

    assertThat(next.begun - next.asked).isBetween(510 * MILLI, 511 * MILLI);
  }

  @Test
  void a_client_that_is_gone_while_it_waits_leaves_its_place_to_the_next() {
    RuleQuota quota = quota(null, 1, null);
    ask(quota, OTHERS);
    Asked gone = ask(quota, OTHERS);
    Asked next = ask(quota, OTHERS);
    advance(quota, 500 * MILLI);
    assertThat(quota.cancel(gone)).isTrue();
    assertThat(quota.cancel(gone)).isFalse();
    advance(quota, 499 * MILLI);
    assertThat(next.ends).isZero();
    advance(quota, 2 * MILLI);
    assertThat(next.ends).isEqualTo(1);
    assertThat(gone.ends).isZero();
    assertThat(quota.use(now).waiting()).isZero();
  }

  @Test
  void a_limit_that_is_lowered_below_what_is_under_way_lets_nothing_in_until_it_is_less() {
    RuleQuota quota = quota(3, null, null);
    List<Asked> three =
        List.of(ask(quota, RANGE_READS), ask(quota, RANGE_READS), ask(quota, RANGE_READS));
    Asked fourth = ask(quota, RANGE_READS);

    quota.change(TestRules.limits(1, null, null), now);
    leave(quota, three.get(0), 0);
    leave(quota, three.get(1), 0);
    assertThat(fourth.underWay).isFalse();
    leave(quota, three.get(2), 0);

    assertThat(fourth.underWay).isTrue();
  }

  @Test
  void a_limit_that_is_raised_or_taken_away_lets_in_what_waits() {
    RuleQuota quota = quota(1, 1, null);
    List<Asked> all =
        List.of(
            ask(quota, RANGE_READS),
            ask(quota, RANGE_READS),
            ask(quota, RANGE_READS),
            ask(quota, OTHERS));
    quota.change(TestRules.limits(2, null, null), now);
    assertThat(all.stream().map(each -> each.underWay)).containsExactly(true, true, false, true);
    quota.change(Rule.Limits.NONE, now);
    assertThat(all).allMatch(each -> each.underWay);
  }

  @Test
  void a_flood_is_refused_at_once_beyond_so_many_that_wait() {
    RuleQuota quota = quota(null, 1, null);
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      all.add(ask(quota, OTHERS));
    }
    assertThat(quota.use(now).waiting()).isEqualTo(QuotaState.MAX_WAITING);
    assertThat(all.stream().filter(each -> each.refusedFor != null).count())
        .isEqualTo(5_000 - 1 - QuotaState.MAX_WAITING);
    assertThat(all.get(1).refusedFor).as("those that came first keep their places").isNull();
    advance(quota, SECOND);
    assertThat(quota.use(now).waiting()).isZero();
  }

  @Test
  void the_request_that_came_last_is_the_one_beyond_those_that_may_wait() {
    RuleQuota quota = quota(1, 1, null);
    ask(quota, RANGE_READS);
    Asked range = ask(quota, RANGE_READS);
    for (int i = 1; i < QuotaState.MAX_WAITING; i++) {
      ask(quota, OTHERS);
    }
    Asked last = ask(quota, OTHERS);
    assertThat(last.refusedFor).isEqualTo(Limit.REQUESTS_PER_SECOND);
    assertThat(range.refusedFor).as("a range read that waited before").isNull();
    assertThat(ask(quota, RANGE_READS).refusedFor).isEqualTo(Limit.RANGE_READS);
    assertThat(quota.use(now).waiting()).isEqualTo(QuotaState.MAX_WAITING);
  }

  @Test
  void only_requests_that_had_to_wait_are_counted_as_such() {
    RuleQuota quota = quota(1, null, null);
    ask(quota, RANGE_READS);
    Asked waits = ask(quota, RANGE_READS);
    assertThat(ask(quota, OTHERS).underWay).as("it needs no place of a range read").isTrue();
    assertThat(quota.use(now).waited()).isEqualTo(1);
    for (int i = 1; i < QuotaState.MAX_WAITING; i++) {
      ask(quota, RANGE_READS);
    }
    assertThat(ask(quota, RANGE_READS).refusedFor).isEqualTo(Limit.RANGE_READS);
    assertThat(quota.use(now).waited()).isEqualTo(QuotaState.MAX_WAITING);
    assertThat(waits.underWay).isFalse();
  }

  @Test
  void without_a_wait_a_request_is_refused_at_once() {
    RuleQuota quota = new RuleQuota(new Rule.Limits(1, null, null, null, Duration.ZERO), now);
    ask(quota, RANGE_READS);
    assertThat(ask(quota, RANGE_READS).refusedFor).isEqualTo(Limit.RANGE_READS);
  }

  @Test
  void no_request_passes_waiting_ones_while_their_tick_is_late() {
    RuleQuota quota = quota(null, 10, null);
    for (int i = 0; i < 10; i++) {
      ask(quota, OTHERS);
    }
    Asked waits = ask(quota, OTHERS);
    now += 150 * MILLI;
    assertThat(quota.tryEnter(OTHERS, now))
        .as("a token is there, for the one that waits")
        .isFalse();
    quota.tick(now);
    assertThat(waits.underWay).isTrue();
  }

  @Test
  void what_needs_an_earlier_tick_gets_one() {
    RuleQuota quota = quota(1, 10, null);
    ask(quota, RANGE_READS);
    for (int i = 0; i < 9; i++) {
      ask(quota, OTHERS);
    }
    assertThat(quota.join(new Asked(RANGE_READS), now))
        .as("until its patience ends")
        .isEqualTo(SECOND);
    long tick = quota.join(new Asked(OTHERS), now);
    assertThat(tick).as("until there is a token").isBetween(99 * MILLI, 101 * MILLI);
    assertThat(quota.join(new Asked(OTHERS), now)).as("after that").isEqualTo(RuleQuota.NO_TICK);
  }

  @Test
  void a_part_of_a_limit_holds_until_it_is_taken_away() {
    RuleQuota quota = quota(3, null, null);
    quota.allow(Map.of(Limit.RANGE_READS, 1.0), now);
    Asked first = ask(quota, RANGE_READS);
    Asked second = ask(quota, RANGE_READS);
    assertThat(first.underWay).isTrue();
    assertThat(second.underWay).isFalse();
    quota.allow(Map.of(Limit.RANGE_READS, 1.0), now);
    assertThat(second.underWay).as("the same part").isFalse();
    quota.allow(Map.of(Limit.RANGE_READS, 2.9), now);
    assertThat(second.underWay).isTrue();
    assertThat(ask(quota, RANGE_READS).underWay).as("a part of a place is none").isFalse();
    quota.allow(Map.of(Limit.RANGE_READS, 9.0), now);
    assertThat(ask(quota, RANGE_READS).underWay).as("the whole limit is three").isFalse();
    assertThat(quota.use(now).rangesUnderWay()).isEqualTo(3);
  }

  @Test
  void a_part_of_a_rate_bounds_what_may_begin_at_once() {
    RuleQuota quota = quota(null, 100, null);
    quota.allow(Map.of(Limit.REQUESTS_PER_SECOND, 10.0), now);
    int begun = 0;
    for (int i = 0; i < 50; i++) {
      begun += quota.tryEnter(OTHERS, now) ? 1 : 0;
    }
    assertThat(begun).isEqualTo(10);
  }

  @Test
  void a_part_of_a_limit_that_the_rule_does_not_have_is_no_limit() {
    RuleQuota quota = quota(null, null, null);
    quota.allow(Map.of(Limit.RANGE_READS, 0.0, Limit.ROWS_PER_SECOND, 0.0), now);
    assertThat(quota.tryEnter(RANGE_READS, now)).isTrue();
    assertThat(quota.countsRows()).isFalse();
    assertThat(quota(null, null, 5).countsRows()).isTrue();
  }

  @Test
  void a_place_is_given_back_once() {
    RuleQuota quota = quota(1, null, null);
    Asked only = ask(quota, RANGE_READS);
    leave(quota, only, 0);
    assertThatThrownBy(() -> quota.leave(RANGE_READS, 0, now))
        .isInstanceOf(IllegalStateException.class);
    quota.leave(OTHERS, 0, now);
    assertThat(quota.use(now).rangesUnderWay()).isZero();
  }

  @Test
  void rows_are_counted_without_a_limit_on_them() {
    RuleQuota quota = quota(1, null, null);
    leave(quota, ask(quota, RANGE_READS), 7);
    leave(quota, ask(quota, OTHERS), 8);
    assertThat(quota.use(now).rows()).isEqualTo(15);
    assertThat(quota.use(now).rowTokens()).isNaN();
    assertThat(quota.use(now).requestTokens()).isNaN();
  }
}
