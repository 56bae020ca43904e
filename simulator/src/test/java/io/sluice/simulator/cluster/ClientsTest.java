package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests when clients send reads, and how they handle answers and errors. */
class ClientsTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final QuietCluster quiet = new QuietCluster(1, new Data(1, 1, 100, 0, 0), 1);

  /** A target that records reads, and answers when the test says so. */
  private final class Sink implements Target {
    private final List<Integer> clients = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();
    private final List<Answer> open = new ArrayList<>();
    private final List<Long> at = new ArrayList<>();

    @Override
    public void send(int client, Read read, Answer answer) {
      clients.add(client);
      reads.add(read);
      open.add(answer);
      at.add(quiet.time.nanoTime());
    }

    @Override
    public void nodeChanged(int node, boolean up) {}

    @Override
    public double rangeSlots() {
      return 0;
    }
  }

  private Sink start(Load load) {
    Sink sink = new Sink();
    SplittableRandom random = new SplittableRandom(1);
    new Clients(quiet.cluster, sink, load, random.split()).start(random.split());
    return sink;
  }

  @Test
  void closed_loop_clients_start_within_ten_milliseconds_with_one_read_each() {
    Sink sink = start(new Load(50, 0, 0.5, 10, 0));

    quiet.pass(SECOND);

    assertThat(sink.clients).hasSize(50).doesNotHaveDuplicates();
    assertThat(sink.at).allMatch(at -> at <= 10 * MILLI + QuietCluster.NETWORK);
    assertThat(sink.at.get(49) - sink.at.get(0)).isGreaterThan(8 * MILLI);
  }

  @Test
  void a_client_with_an_answer_sends_its_next_read_at_once() {
    Sink sink = start(new Load(2, 0, 0.5, 10, 0));
    quiet.pass(SECOND);
    int client = sink.clients.get(0);

    sink.open.get(0).rows(1);
    quiet.pass(QuietCluster.NETWORK);

    assertThat(sink.clients).hasSize(3);
    assertThat(sink.clients.get(2)).isEqualTo(client);
  }

  @Test
  void a_client_with_an_error_pauses_for_twenty_milliseconds() {
    Sink sink = start(new Load(1, 0, 0.5, 10, 0));
    quiet.pass(SECOND);

    sink.open.get(0).failed(Failure.OVERLOADED);
    quiet.pass(20 * MILLI);
    assertThat(sink.reads).hasSize(1);
    quiet.pass(QuietCluster.NETWORK);

    assertThat(sink.reads).hasSize(2);
  }

  @Test
  void the_meter_counts_an_answer_with_the_clients_response_time() {
    Sink sink = start(new Load(1, 0, 1, 10, 0));
    quiet.pass(SECOND);
    long asked = sink.at.get(0) - QuietCluster.NETWORK;

    sink.open.get(0).rows(1);

    assertThat(quiet.meter.points().count()).isEqualTo(1);
    assertThat(quiet.meter.points().meanMs())
        .isCloseTo((double) (SECOND - asked) / MILLI, within(1.0));
  }

  @Test
  void the_meter_counts_an_error_by_its_class() {
    Sink sink = start(new Load(1, 0, 0, 10, 0));
    quiet.pass(SECOND);

    sink.open.get(0).failed(Failure.TIMEOUT);

    assertThat(quiet.meter.ranges().failures()).containsOnlyKeys(Failure.TIMEOUT);
    assertThat(quiet.meter.points().failures()).isEmpty();
  }

  @Test
  void an_open_loop_sends_at_its_rate_without_waiting_for_answers() {
    Sink sink = start(new Load(0, 1000, 0.75, 10, 0));

    quiet.pass(20 * SECOND);

    assertThat((double) sink.reads.size()).isCloseTo(20_000, within(600.0));
    long points = sink.reads.stream().filter(Read::point).count();
    assertThat((double) points / sink.reads.size()).isCloseTo(0.75, within(0.02));
  }

  /** Of exponential gaps, e⁻¹ are longer than the mean, and the deviation equals the mean. */
  @Test
  void the_gaps_of_an_open_loop_are_those_of_a_poisson_process() {
    Sink sink = start(new Load(0, 1000, 1, 10, 0));
    quiet.pass(20 * SECOND);
    int count = sink.at.size() - 1;
    double mean = (double) (sink.at.get(count) - sink.at.get(0)) / count;
    int longer = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double gap = sink.at.get(i + 1) - sink.at.get(i);
      longer += gap > mean ? 1 : 0;
      squares += (gap - mean) * (gap - mean);
    }

    assertThat((double) longer / count).isCloseTo(Math.exp(-1), within(0.02));
    assertThat(Math.sqrt(squares / count) / mean).isCloseTo(1, within(0.05));
  }

  @Test
  void an_open_loop_of_one_class_has_no_reads_of_the_other() {
    Sink sink = start(new Load(0, 1000, 0, 10, 0));

    quiet.pass(SECOND);

    assertThat(sink.reads).isNotEmpty().noneMatch(Read::point);
  }

  @Test
  void requests_of_an_open_loop_come_from_clients_in_turn() {
    Sink sink = start(new Load(0, 1000, 1, 10, 0));

    quiet.pass(SECOND / 10);

    Set<Integer> clients = new HashSet<>(sink.clients);
    assertThat(clients).hasSize(sink.clients.size());
  }
}
