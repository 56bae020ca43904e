package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.progress.PageProgress;
import io.sluice.ring.Token;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the prepared range read of the clients, cut by the proxy's own cutter. */
class RangeStatementTest {
  private final QuietCluster quiet = new QuietCluster(4, new Data(1, 1, 100, 0, 0), 1);
  private final RangeStatement statement =
      new RangeStatement(SplitConfig.defaults(), quiet.layout, 0.01);

  private Scatter plan(long token, int limit) {
    return statement.plan(new Read(false, token, limit));
  }

  @Test
  void a_plan_begins_at_the_token_and_wants_the_limit() {
    Scatter plan = plan(1000, 77);

    assertThat(plan.wanted()).isEqualTo(77);
    assertThat(plan.range().after()).isEqualTo(new Token.Murmur3(999));
    assertThat(plan.range().upTo()).isNull();
  }

  @Test
  void the_width_of_the_first_wave_follows_from_the_limit() {
    long from = quiet.layout.end(0) + 1;

    assertThat(plan(from, 10).wave()).hasSize(1);
    assertThat(plan(from, 250).wave()).hasSizeBetween(2, 3);
  }

  @Test
  void each_piece_has_the_owners_of_its_range() {
    for (SubRequest request : plan(Long.MIN_VALUE + 1, 400).wave()) {
      int range = quiet.layout.rangeOf(Layout.upTo(request.piece().range()));
      assertThat(request.piece().replicas())
          .isEqualTo(quiet.layout.owners(range).stream().map(Layout::id).toList());
    }
  }

  /**
   * Waves follow each other without a gap to the end of the ring, for any number of rows returned.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 40})
  void waves_follow_each_other_without_a_gap(int each) {
    Scatter plan = plan(Long.MIN_VALUE + 1, 100_000);
    PageProgress progress = statement.progress(plan, 400);
    List<SubRequest> wave = plan.wave();
    Token end = plan.range().after();
    while (!wave.isEmpty()) {
      for (int number : progress.send(progress.missing(), wave)) {
        assertThat(progress.request(number).piece().range().after()).isEqualTo(end);
        end = progress.request(number).piece().range().upTo();
        progress.returned(number, each, true);
      }
      wave = statement.next(plan, progress);
    }
    assertThat(end).isNull();
    assertThat(progress.coversRange()).isTrue();
  }
}
