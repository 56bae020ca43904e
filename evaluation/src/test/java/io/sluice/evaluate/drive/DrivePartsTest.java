package io.sluice.evaluate.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import io.sluice.load.RequestFailure;
import io.sluice.load.WorkloadFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrivePartsTest {
  private static final Data DATA =
      new Data("ks", 3, 50, key -> new Murmur3Token(key.getLong(key.position())));

  @ParameterizedTest
  @CsvSource({
    "a, 0.5, 0, 0.5",
    "b, 0.95, 0, 0.05",
    "c, 1, 0, 0",
    "g, 0, 0, 1",
    "mix91, 0.9, 0.1, 0",
    "mix55, 0.5, 0.5, 0"
  })
  void our_workload_files_have_the_mixes_of_their_names(
      String name, double singles, double ranges, double writes) throws IOException {
    Mix mix = Mix.of(WorkloadFiles.read("workloads/" + name));

    assertThat(mix.share(RequestClass.SINGLE)).isEqualTo(singles);
    assertThat(mix.share(RequestClass.RANGE)).isEqualTo(ranges);
    assertThat(mix.share(RequestClass.WRITE)).isEqualTo(writes);
  }

  @Test
  void an_unknown_workload_is_named() {
    assertThatThrownBy(() -> WorkloadFiles.read("workloads/z")).hasMessageContaining("workloads/z");
  }

  @Test
  void requests_follow_the_shares_and_limits_are_uniform() {
    RequestSource source = new RequestSource(new Mix(0.6, 0.3, 0.1, 20, false), DATA);
    SplittableRandom random = new SplittableRandom(3);
    List<Request> drawn = Stream.generate(() -> source.next(random)).limit(50_000).toList();

    assertThat(share(drawn, RequestClass.SINGLE)).isCloseTo(0.6, within(0.01));
    assertThat(share(drawn, RequestClass.RANGE)).isCloseTo(0.3, within(0.01));
    assertThat(share(drawn, RequestClass.WRITE)).isCloseTo(0.1, within(0.01));
    List<Integer> limits =
        drawn.stream().filter(r -> r.of() == RequestClass.RANGE).map(Request::limit).toList();
    assertThat(limits).allMatch(l -> l >= 1 && l <= 20);
    assertThat(limits.stream().mapToInt(l -> l).average().orElseThrow())
        .isCloseTo(10.5, within(0.2));
    assertThat(drawn).extracting(Request::table).containsOnly(0, 1, 2);
    assertThat(drawn).allMatch(r -> r.place() >= 0 && r.place() < 50);
  }

  @Test
  void a_skewed_mix_has_favourites() {
    RequestSource source = new RequestSource(new Mix(1, 0, 0, 1, true), DATA);
    SplittableRandom random = new SplittableRandom(3);
    int[] times = new int[50];
    Stream.generate(() -> source.next(random)).limit(20_000).forEach(r -> times[r.place()]++);

    assertThat(Arrays.stream(times).max().orElseThrow()).isGreaterThan(900);
  }

  private static double share(List<Request> of, RequestClass requests) {
    return of.stream().filter(r -> r.of() == requests).count() / (double) of.size();
  }

  @Test
  void keys_differ_and_spread_over_the_whole_byte_range() {
    Set<ByteBuffer> keys = new HashSet<>();
    int[] firstBytes = new int[4];
    for (long i = 0; i < 20_000; i++) {
      keys.add(Data.key(i));
      firstBytes[(Data.key(i).get(0) & 0xff) / 64]++;
    }
    assertThat(keys).hasSize(20_000);
    assertThat(Arrays.stream(firstBytes)).allMatch(n -> n > 4700 && n < 5300);
  }

  @Test
  void only_requests_due_in_the_counted_time_count() {
    Observed seen = new Observed(1000, 5000);
    seen.ended(RequestClass.SINGLE, 999, 1200, null, null);
    seen.ended(RequestClass.SINGLE, 1000, 2_001_000, null, null);
    seen.ended(RequestClass.SINGLE, 4999, 4_999, null, null);
    seen.ended(RequestClass.SINGLE, 5000, 5100, null, null);

    assertThat(seen.of(RequestClass.SINGLE).micros().getTotalCount()).isEqualTo(2);
    assertThat(seen.of(RequestClass.SINGLE).micros().getMaxValue()).isBetween(1999L, 2001L);
  }

  @Test
  void throughput_counts_answers_in_the_counted_time_to_any_request() {
    Observed seen = new Observed(1000, 5000);
    seen.ended(RequestClass.SINGLE, 10, 999, null, null);
    seen.ended(RequestClass.SINGLE, 10, 1000, null, null);
    seen.ended(RequestClass.SINGLE, 2000, 4999, null, null);
    seen.ended(RequestClass.SINGLE, 2000, 4999, RequestFailure.SHORT_READ, null);
    seen.ended(RequestClass.SINGLE, 4999, 5000, null, null);

    assertThat(seen.of(RequestClass.SINGLE).inTime()).isEqualTo(2);
  }

  @Test
  void a_failure_of_a_request_due_before_counts_if_it_ends_in_the_counted_time_or_later() {
    Observed seen = new Observed(1000, 5000);
    seen.ended(RequestClass.LIST, 10, 999, RequestFailure.TIMEOUT, null);
    seen.ended(RequestClass.SINGLE, 10, 1000, null, new DriverTimeoutException("late"));
    seen.ended(RequestClass.SINGLE, 999, 20_000, null, new DriverTimeoutException("late"));
    seen.ended(RequestClass.SINGLE, 10, 2000, RequestFailure.SHORT_READ, null);
    seen.ended(RequestClass.RANGE, 5000, 6000, null, new DriverTimeoutException("late"));

    assertThat(seen.of(RequestClass.SINGLE).failures())
        .isEqualTo(Map.of("SHORT_READ", 1L, "TIMEOUT", 2L));
    assertThat(seen.of(RequestClass.LIST).failures()).as("ended before").isEmpty();
    assertThat(seen.of(RequestClass.RANGE).failures()).as("due after").isEmpty();
  }

  @Test
  void a_failure_has_a_kind_and_no_time() {
    Observed seen = new Observed(0, 100);
    seen.ended(RequestClass.RANGE, 1, 2, RequestFailure.SHORT_READ, null);
    seen.ended(RequestClass.RANGE, 1, 2, null, new DriverTimeoutException("late"));
    seen.ended(
        RequestClass.RANGE,
        1,
        2,
        null,
        new CompletionException(new DriverTimeoutException("late")));
    seen.notSent(RequestClass.RANGE, 1);

    assertThat(seen.of(RequestClass.RANGE).failures())
        .isEqualTo(Map.of("SHORT_READ", 1L, "TIMEOUT", 2L, "NOT_SENT", 1L));
    assertThat(seen.of(RequestClass.RANGE).micros().getTotalCount()).isZero();
  }

  @Test
  void a_fifth_of_a_short_load_and_five_seconds_of_a_long_one_are_not_counted() {
    assertThat(LoadTime.of(Duration.ofSeconds(5)).settling()).isEqualTo(Duration.ofSeconds(1));
    assertThat(LoadTime.of(Duration.ofSeconds(60)).settling()).isEqualTo(Duration.ofSeconds(5));
    assertThat(LoadTime.of(Duration.ofSeconds(60)).seconds()).isEqualTo(55);
    assertThat(LoadTime.of(Duration.ofSeconds(5)).warmUp().seconds()).isEqualTo(5);
    assertThat(LoadTime.of(Duration.ofSeconds(60)).warmUp().whole())
        .isEqualTo(Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @CsvSource({
    "requestdistribution, latest, 'requestdistribution: uniform or zipfian, not latest'",
    "readmodifywriteproportion, 0.5, readmodifywriteproportion: only 0",
    "readproportion, -1, 'shares of requests: at least one above 0, none below'",
    "maxscanlength, 0, maxscanlength: 1 to 100000",
    "maxscanlength, 100001, maxscanlength: 1 to 100000"
  })
  void a_workload_that_cannot_be_sent_as_it_says_is_refused(
      String property, String value, String message) {
    Properties workload = new Properties();
    workload.setProperty(property, value);

    assertThatThrownBy(() -> Mix.of(workload))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void a_workload_without_properties_is_that_of_ycsb() {
    Mix mix = Mix.of(new Properties());

    assertThat(mix.share(RequestClass.SINGLE)).isCloseTo(0.95, within(1e-9));
    assertThat(mix.share(RequestClass.WRITE)).isCloseTo(0.05, within(1e-9));
    assertThat(mix.share(RequestClass.SCAN)).isZero();
    assertThat(mix.skewed()).isFalse();
    assertThat(mix.withMaxLimit(7)).isEqualTo(new Mix(0.95, 0, 0.05, 7, false));
  }

  @Test
  void updates_and_inserts_are_writes() {
    Properties workload = new Properties();
    workload.setProperty("readproportion", "0.5");
    workload.setProperty("updateproportion", "0.3");
    workload.setProperty("insertproportion", "0.2");
    workload.setProperty("requestdistribution", "zipfian");

    assertThat(Mix.of(workload).share(RequestClass.WRITE)).isCloseTo(0.5, within(1e-9));
    assertThat(Mix.of(workload).skewed()).isTrue();
  }

  @Test
  void equal_seeds_draw_equal_requests() {
    RequestSource source = new RequestSource(new Mix(0.6, 0.3, 0.1, 20, false), DATA);

    assertThat(drawn(source, 3)).isEqualTo(drawn(source, 3)).isNotEqualTo(drawn(source, 4));
  }

  private static List<Request> drawn(RequestSource source, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> source.next(random)).limit(50).toList();
  }

  @Test
  void a_table_needs_a_row_and_a_value() {
    assertThatThrownBy(() -> DATA.elsewhere("ks", 0, 1)).hasMessageEndingWith("at least 1");
    assertThatThrownBy(() -> DATA.elsewhere("ks", 1, 0)).hasMessageEndingWith("at least 1");
    assertThat(DATA.valueBytesInAll()).isEqualTo(3L * 50 * Data.VALUE_BYTES);
    assertThat(DATA.value(new SplittableRandom(1)).remaining()).isEqualTo(Data.VALUE_BYTES);
  }
}
