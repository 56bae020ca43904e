package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota.Entrant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Real threads that ask, leave, give up and change the limits of one rule at the same time. */
class QuotaStressTest {

  private static final int THREADS = 4;
  private static final int EACH = 20_000;
  private static final int MAX = 3;

  private final AtomicLong now = new AtomicLong();
  private final RuleQuota quota = new RuleQuota(TestRules.limits(MAX, null, null), 0);
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger tooMany = new AtomicInteger();
  private final AtomicInteger ends = new AtomicInteger();

  private final class Asked extends Entrant {
    private final AtomicInteger told = new AtomicInteger();

    Asked() {
      super(Line.RANGE_READS);
    }

    @Override
    protected void letIn() {
      told.incrementAndGet();
      begin();
      end();
    }

    @Override
    protected void refused(Limit limit) {
      told.incrementAndGet();
      ends.incrementAndGet();
    }
  }

  private void begin() {
    if (underWay.incrementAndGet() > MAX) {
      tooMany.incrementAndGet();
    }
  }

  private void end() {
    underWay.decrementAndGet();
    ends.incrementAndGet();
    quota.leave(Line.RANGE_READS, 1, now.get());
  }

  private void askAll(Random random) {
    for (int i = 0; i < EACH; i++) {
      long time = now.addAndGet(random.nextInt(1_000));
      if (quota.tryEnter(Line.RANGE_READS, time)) {
        begin();
        end();
        continue;
      }
      Asked asked = new Asked();
      quota.join(asked, time);
      if (random.nextInt(3) == 0 && quota.cancel(asked)) {
        ends.incrementAndGet();
      }
      if (random.nextInt(500) == 0) {
        quota.change(TestRules.limits(1 + random.nextInt(MAX), null, null), time);
      }
    }
  }

  @Test
  void every_request_ends_once_and_no_place_is_lost() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Random> seeds = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      seeds.add(new Random(i));
    }
    seeds.forEach(seed -> pool.execute(() -> askAll(seed)));
    pool.shutdown();
    assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

    quota.tick(now.addAndGet(TimeUnit.SECONDS.toNanos(5)));
    assertThat(ends.get()).isEqualTo(THREADS * EACH);
    assertThat(tooMany.get()).isZero();
    QuotaUse use = quota.use(now.get());
    assertThat(use.rangesUnderWay()).isZero();
    assertThat(use.waiting()).isZero();
  }
}
