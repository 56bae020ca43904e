package io.sluice.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadFiguresTest {
  private final ReadFigures figures = new ReadFigures();

  @Test
  void a_late_answer_counts_for_the_times_but_not_for_the_throughput() {
    figures.answered(TimeUnit.MILLISECONDS.toNanos(10));
    figures.answeredInTime();
    figures.answered(TimeUnit.MILLISECONDS.toNanos(30));

    RoundResult result = figures.result("sluice", ReadClass.POINT, 2.0);
    assertThat(result.count()).isEqualTo(2);
    assertThat(result.meanMs()).isCloseTo(20, within(0.1));
    assertThat(result.maxMs()).isCloseTo(30, within(0.1));
    assertThat(result.throughput()).isEqualTo(0.5);
  }

  @Test
  void a_failed_request_is_an_error_and_has_no_time() {
    figures.failed(new IllegalStateException());

    RoundResult result = figures.result("cassandra", ReadClass.RANGE, 1.0);
    assertThat(result.errors()).isEqualTo(1);
    assertThat(result.errorKinds()).containsOnly(entry("IllegalStateException", 1L));
    assertThat(result.count()).isZero();
    assertThat(result.readClass()).isEqualTo("range");
  }
}
