package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.cluster.ClusterSetting.Costs;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the network, the costs and the random choice of a node. */
class SimClusterTest {
  private static final Data DATA = new Data(1, 1, 100, 0, 0);

  private final QuietCluster quiet = new QuietCluster(3, DATA, 1);
  private final SimCluster cluster = quiet.cluster;

  @Test
  void a_message_arrives_after_one_way_over_the_network() {
    List<Long> arrived = new ArrayList<>();
    cluster.send(() -> arrived.add(quiet.time.nanoTime()));

    quiet.pass(QuietCluster.NETWORK - 1);
    assertThat(arrived).isEmpty();
    quiet.pass(1);

    assertThat(arrived).containsExactly(QuietCluster.NETWORK);
  }

  @Test
  void a_read_costs_a_fixed_part_and_a_part_for_each_row() {
    assertThat(cluster.workNanos(0)).isEqualTo(100_000);
    assertThat(cluster.workNanos(50)).isEqualTo(150_000);
    assertThat(cluster.bytes(50)).isEqualTo(5_000);
  }

  @Test
  void noise_multiplies_the_cost_by_a_number_whose_logarithm_is_normal() {
    SimCluster noisy = new QuietCluster(quiet.setting.with(new Costs(100, 1, 100, 0.5))).cluster;
    double sum = 0;
    double squares = 0;
    int many = 10_000;
    for (int i = 0; i < many; i++) {
      double logarithm = Math.log(noisy.workNanos(0) / 100_000);
      sum += logarithm;
      squares += logarithm * logarithm;
    }
    assertThat(sum / many).isCloseTo(0, within(0.02));
    assertThat(Math.sqrt(squares / many)).isCloseTo(0.5, within(0.02));
  }

  @Test
  void each_node_that_is_up_is_chosen_about_equally_often() {
    cluster.node(1).up(false);
    Map<Integer, Integer> chosen = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      chosen.merge(cluster.anyUp(List.of(0, 1, 2)), 1, Integer::sum);
    }

    assertThat(chosen).containsOnlyKeys(0, 2);
    assertThat(chosen.get(0)).isBetween(400, 600);
  }

  @Test
  void with_no_node_up_none_is_chosen() {
    cluster.node(1).up(false);

    assertThat(cluster.anyUp(List.of(1))).isEqualTo(-1);
    assertThat(cluster.anyUp(List.of())).isEqualTo(-1);
  }

  @Test
  void point_reads_and_range_reads_have_their_own_timeouts() {
    assertThat(cluster.timeouts(new Read(true, 1, 1)))
        .isSameAs(cluster.timeouts(new Read(true, 2, 1)))
        .isNotSameAs(cluster.timeouts(new Read(false, 1, 1)));
  }

  private static NodeRead work(double nanos, Runnable done) {
    return new NodeRead(nanos, Long.MAX_VALUE) {
      @Override
      void answered() {
        done.run();
      }

      @Override
      void lost() {}
    };
  }

  private static List<Long> ends(boolean shared) {
    QuietCluster two =
        new QuietCluster(
            ClusterSetting.twelveNodes().with(DATA).with(new Hardware(2, 1, 32, 10, shared, 0)));
    List<Long> ends = new ArrayList<>();
    for (int node = 0; node < 2; node++) {
      two.cluster.node(node).reads().submit(work(1000, () -> ends.add(two.time.nanoTime())));
    }
    two.pass(10_000);
    assertThat(two.cluster.busyNanos()).isCloseTo(2000, within(2.0));
    assertThat(two.cluster.cores()).isEqualTo(1);
    return ends;
  }

  @Test
  void nodes_of_one_machine_share_its_cores_and_others_do_not() {
    assertThat(ends(true)).containsExactly(2000L, 2000L);
    assertThat(ends(false)).containsExactly(1000L, 1000L);
  }
}
