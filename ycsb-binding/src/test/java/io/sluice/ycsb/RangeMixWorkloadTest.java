package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;

/** Single and range reads in an open loop, recorded in a list. */
// YCSB's interface requires Vector and HashMap.
@SuppressWarnings({"JdkObsolete", "NonApiType"})
class RangeMixWorkloadTest {
  private static final int REQUESTS = 500;

  private static Properties properties(String... namesAndValues) {
    Properties properties = new Properties();
    properties.setProperty("recordcount", "20");
    properties.setProperty("insertorder", "ordered");
    properties.setProperty("maxscanlength", "7");
    properties.setProperty("rangemix.single.rate", "1e9");
    properties.setProperty("rangemix.range.rate", "1e9");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return properties;
  }

  private static RangeMixWorkload workload(String... namesAndValues) throws WorkloadException {
    Properties properties = properties(namesAndValues);
    Measurements.setProperties(properties);
    RangeMixWorkload workload = new RangeMixWorkload();
    workload.init(properties);
    return workload;
  }

  /** Records requests: the key, and the length of a scan. */
  private static final class Requests extends DB {
    private final List<String> reads = new ArrayList<>();
    private final List<String> scans = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      reads.add(key);
      return Status.OK;
    }

    @Override
    public Status scan(
        String table,
        String start,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      scans.add(start);
      lengths.add(count);
      return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }
  }

  /**
   * Returns the requests of the thread with that number, of two: the first reads, the second scans.
   */
  private static Requests asked(RangeMixWorkload workload, int thread) throws WorkloadException {
    Requests requests = new Requests();
    Object state = workload.initThread(new Properties(), thread, 2);
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(workload.doTransaction(requests, state)).isTrue();
    }
    return requests;
  }

  @Test
  void one_class_reads_rows_that_were_loaded() throws WorkloadException {
    Requests requests = asked(workload(), 0);

    assertThat(requests.scans).isEmpty();
    assertThat(requests.reads).hasSize(REQUESTS);
    assertThat(Set.copyOf(requests.reads))
        .isEqualTo(Set.copyOf(new LoadedKeys(0, 20, 1, true).all().toList()));
  }

  @ParameterizedTest
  @CsvSource({"15, '', 15, 5", "4, 3, 4, 3"})
  void requests_begin_at_the_keys_that_insertstart_and_insertcount_name(
      String start, String count, int first, int keys) throws WorkloadException {
    RangeMixWorkload workload =
        count.isEmpty()
            ? workload("insertstart", start)
            : workload("insertstart", start, "insertcount", count);
    Set<String> loaded = Set.copyOf(new LoadedKeys(first, keys, 1, true).all().toList());

    assertThat(Set.copyOf(asked(workload, 0).reads)).isEqualTo(loaded);
    assertThat(Set.copyOf(asked(workload, 1).scans)).isEqualTo(loaded);
  }

  @Test
  void no_keys_to_read_are_refused() {
    String reason = "insertcount: at least 1; its default is recordcount less insertstart";
    Properties none = properties("insertstart", "20", "threadcount", "2");

    assertThatThrownBy(() -> workload("insertstart", "20"))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(reason);
    assertThatThrownBy(() -> RangeMixWorkload.check(none))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(reason);
    assertThatCode(
            () ->
                RangeMixWorkload.check(
                    properties("insertstart", "20", "recordcount", "0", "threadcount", "2")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "requestdistribution, zipfian, uniform",
    "scanlengthdistribution, zipfian, uniform",
    "minscanlength, 5, 1",
    "readallfields, false, true"
  })
  void a_value_that_would_have_no_effect_is_refused(String name, String value, String only) {
    String reason = name + ": '" + value + "' is not " + only + ", the only value in an open loop";

    assertThatThrownBy(() -> workload(name, value))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(reason);
    assertThatThrownBy(() -> RangeMixWorkload.check(properties(name, value, "threadcount", "2")))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(reason);
    assertThatCode(() -> RangeMixWorkload.check(properties(name, only, "threadcount", "2")))
        .doesNotThrowAnyException();
  }

  @Test
  void the_other_class_scans_from_one_row_to_the_longest_scan() throws WorkloadException {
    Requests requests = asked(workload(), 1);

    assertThat(requests.reads).isEmpty();
    assertThat(requests.scans).hasSize(REQUESTS);
    assertThat(Set.copyOf(requests.lengths)).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void a_seed_makes_keys_and_lengths_repeatable() throws WorkloadException {
    Requests first = asked(workload("sluice.seed", "5"), 1);
    Requests same = asked(workload("sluice.seed", "5"), 1);
    Requests other = asked(workload("sluice.seed", "6"), 1);

    assertThat(same.scans).isEqualTo(first.scans);
    assertThat(same.lengths).isEqualTo(first.lengths);
    assertThat(other.scans).isNotEqualTo(first.scans);
  }

  /** At such a rate, the next request arrives after half a year. */
  @Test
  void a_stop_ends_the_wait_for_the_next_arrival() throws WorkloadException {
    RangeMixWorkload workload = workload("rangemix.single.rate", "1e-7");
    Requests requests = new Requests();
    Object state = workload.initThread(new Properties(), 0, 2);

    workload.requestStop();

    assertThat(workload.doTransaction(requests, state)).isFalse();
    assertThat(requests.reads).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2, 0.5, 1", "10, 0.3, 3", "10, 0, 1", "10, 1, 9", "3, 0.9, 2"})
  void each_class_has_its_share_of_the_threads_and_at_least_one(
      int threads, String share, int singles) throws WorkloadException {
    RangeMixWorkload workload = workload("rangemix.single.threads", share);
    List<Object> classes = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      classes.add(workload.initThread(new Properties(), thread, threads));
    }

    assertThat(IntStream.range(0, threads).filter(i -> classes.get(i) == classes.get(0)))
        .hasSize(singles);
    assertThat(Set.copyOf(classes)).hasSize(2);
  }

  @Test
  void one_thread_cannot_carry_both_classes() throws WorkloadException {
    RangeMixWorkload workload = workload();

    assertThatThrownBy(() -> workload.initThread(new Properties(), 0, 1))
        .isInstanceOf(WorkloadException.class)
        .hasMessage("-threads: at least 2, one for each class of reads");
  }

  @Test
  void one_thread_loads() throws WorkloadException {
    Properties loading = properties("dotransactions", "false");

    assertThatCode(() -> workload().initThread(loading, 0, 1)).doesNotThrowAnyException();
    assertThatCode(() -> RangeMixWorkload.check(loading)).doesNotThrowAnyException();
  }

  @Test
  void a_check_before_the_start_finds_too_few_threads() {
    assertThatThrownBy(() -> RangeMixWorkload.check(properties()))
        .isInstanceOf(WorkloadException.class)
        .hasMessage("-threads: at least 2, one for each class of reads");
    assertThatCode(() -> RangeMixWorkload.check(properties("threadcount", "2")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sluice.seed",
        "rangemix.single.rate",
        "rangemix.range.rate",
        "rangemix.single.threads"
      })
  void a_text_that_is_not_a_number_is_refused_with_the_name_of_its_property(String name) {
    assertThatThrownBy(() -> workload(name, "many"))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(name + ": 'many' is not a number");
    assertThatThrownBy(() -> RangeMixWorkload.check(properties(name, "many", "threadcount", "2")))
        .isInstanceOf(WorkloadException.class)
        .hasMessage(name + ": 'many' is not a number");
  }
}
