package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.execute.reply.RequestKind;
import io.sluice.testkit.Records;
import io.sluice.watch.NodeTimeouts;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests deadlines by kind of request, in seconds. */
class DeadlinesTest {

  /** Returns a configuration with these timeouts; 0 is unset. */
  private static ExchangeConfig config(int request, int read, int range) {
    SchedulingConfig scheduling =
        Records.with(
            SchedulingConfig.defaults(), "readTimeout", set(read), "rangeTimeout", set(range));
    return new ExchangeConfig(
        set(request), scheduling, Duration.ofSeconds(5), false, null, List.of());
  }

  private static @Nullable Duration set(int seconds) {
    return seconds == 0 ? null : Duration.ofSeconds(seconds);
  }

  /** Read 20 s, range 30 s, write 4 s, counter 6 s, contention 3 s, truncate 90 s, request 40 s. */
  private static final NodeTimeouts NODES =
      new NodeTimeouts(s(20), s(30), s(4), s(6), s(3), s(90), s(40), s(100));

  private static Duration s(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static long other(ExchangeConfig config, @Nullable NodeTimeouts nodes, RequestKind kind) {
    return Duration.ofNanos(Deadlines.other(config, nodes, kind)).toSeconds();
  }

  private static long read(
      ExchangeConfig config, @Nullable NodeTimeouts nodes, PriorityClass priorityClass) {
    return Duration.ofNanos(Deadlines.read(config, nodes, priorityClass, false)).toSeconds();
  }

  /** Columns: no setting, no setting and unknown timeouts of nodes, a setting of 9 s. */
  @ParameterizedTest
  @CsvSource({
    "SIMPLE_WRITE,      107,  12,   9",
    "UNLOGGED_BATCH,    107,  12,   9",
    "COUNTER_BATCH,     107,  12,   9",
    "LOGGED_BATCH,      109,  12,   9",
    "CONDITIONAL_WRITE, 136,  12,   9",
    "CONDITIONAL_BATCH, 136,  12,   9",
    "TRUNCATE,          191, 600, 191",
    "CHANGE,            600, 600, 600",
    "OTHER,              41,  12,   9"
  })
  void a_deadline_is_the_timeout_of_the_node_and_a_second(
      RequestKind kind, long configured, long unknown, long set) {
    assertThat(other(config(0, 0, 0), NODES, kind)).isEqualTo(configured);
    assertThat(other(config(0, 0, 0), null, kind)).isEqualTo(unknown);
    assertThat(other(config(9, 0, 0), NODES, kind)).isEqualTo(set);
  }

  @Test
  void the_request_timeout_never_shortens_a_truncate_but_may_lengthen_it() {
    assertThat(other(config(1_000, 0, 0), NODES, RequestKind.TRUNCATE)).isEqualTo(1_000);
    assertThat(other(config(1_000, 0, 0), NODES, RequestKind.CHANGE)).isEqualTo(1_000);
  }

  @Test
  void a_node_may_work_on_a_read_for_its_own_timeout_whatever_the_settings() {
    assertThat(atNode(config(1, 2, 3), NODES, PriorityClass.POINT)).isEqualTo(21);
    assertThat(atNode(config(1, 2, 3), NODES, PriorityClass.RANGE)).isEqualTo(31);
    assertThat(atNode(config(1, 2, 3), null, PriorityClass.POINT)).isEqualTo(2);
    assertThat(atNode(config(1, 0, 0), null, PriorityClass.RANGE)).isEqualTo(10);
  }

  private static long atNode(
      ExchangeConfig config, @Nullable NodeTimeouts nodes, PriorityClass priorityClass) {
    return Duration.ofNanos(Deadlines.readAtNode(config, nodes, priorityClass, false)).toSeconds();
  }

  @Test
  void a_read_uses_its_own_timeout_or_that_of_the_node_within_the_request_timeout() {
    assertThat(read(config(0, 0, 0), NODES, PriorityClass.POINT)).isEqualTo(21);
    assertThat(read(config(0, 0, 0), NODES, PriorityClass.RANGE)).isEqualTo(31);
    assertThat(read(config(0, 0, 0), null, PriorityClass.POINT)).isEqualTo(5);
    assertThat(read(config(0, 0, 0), null, PriorityClass.RANGE)).isEqualTo(10);
    assertThat(read(config(25, 0, 0), NODES, PriorityClass.POINT)).isEqualTo(21);
    assertThat(read(config(25, 0, 0), NODES, PriorityClass.RANGE)).isEqualTo(25);
    assertThat(read(config(9, 3, 50), NODES, PriorityClass.POINT)).isEqualTo(3);
    assertThat(read(config(9, 3, 50), NODES, PriorityClass.RANGE)).isEqualTo(50);
  }

  @Test
  void a_serial_read_has_time_to_finish_a_conditional_write() {
    long nanos = Deadlines.read(config(0, 0, 0), NODES, PriorityClass.POINT, true);
    assertThat(Duration.ofNanos(nanos)).isEqualTo(s(36));
  }
}
