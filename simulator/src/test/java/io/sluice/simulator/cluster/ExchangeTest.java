package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Data;
import org.junit.jupiter.api.Test;

/** Tests that a read gets exactly one answer in every case. */
class ExchangeTest {
  private final QuietCluster quiet = new QuietCluster(1, new Data(1, 1, 100, 0, 0), 1);
  private final Answers answers = new Answers(quiet.time);
  private int abandoned;

  private Exchange exchange(boolean point) {
    return new Exchange(quiet.cluster, new Read(point, 0, 1), answers) {
      @Override
      void abandon() {
        abandoned++;
      }
    };
  }

  @Test
  void an_answer_reaches_the_client_over_the_network() {
    Exchange exchange = exchange(true);
    exchange.succeed(7);
    assertThat(exchange.isOver()).isTrue();
    assertThat(answers.told).isEmpty();

    quiet.pass(Timeouts.RANGE.toNanos() * 2);

    assertThat(answers.told).containsExactly("7 rows");
    assertThat(answers.at).containsExactly(QuietCluster.NETWORK);
    assertThat(abandoned).isZero();
  }

  @Test
  void only_the_first_outcome_counts() {
    Exchange exchange = exchange(true);
    exchange.fail(Failure.OVERLOADED);
    exchange.succeed(7);
    exchange.fail(Failure.UNAVAILABLE);

    quiet.pass(Timeouts.RANGE.toNanos() * 2);

    assertThat(answers.told).containsExactly("OVERLOADED");
  }

  @Test
  void a_point_read_without_an_answer_times_out_after_five_seconds() {
    Exchange exchange = exchange(true);

    quiet.pass(60_000_000_000L);

    assertThat(exchange.isOver()).isTrue();
    assertThat(answers.told).containsExactly("TIMEOUT");
    assertThat(answers.at).containsExactly(5_000_000_000L + QuietCluster.NETWORK);
    assertThat(abandoned).isEqualTo(1);
  }

  @Test
  void a_range_read_without_an_answer_times_out_after_ten_seconds() {
    Exchange exchange = exchange(false);

    quiet.pass(60_000_000_000L);

    assertThat(exchange.isOver()).isTrue();
    assertThat(answers.at).containsExactly(10_000_000_000L + QuietCluster.NETWORK);
  }
}
