package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.cluster.ClusterPartitioner;
import io.sluice.cluster.TimerSlack;
import io.sluice.evaluate.bed.BedSpec;
import io.sluice.evaluate.bed.Variant;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The options of an evaluation, and the defaults of {@code --quick}. */
class BedOptionsTest {
  private static final Path OUT = Path.of("report");

  private static BedOptions options(String... given) {
    return CommandLine.populateCommand(new TableOptions(), given);
  }

  private static BedSpec spec(int tables, String... given) {
    return options(given).spec(List.of(Variant.DIRECT), 2, ClusterPartitioner.MURMUR3, tables, OUT);
  }

  @Test
  void without_options_three_nodes_are_loaded_for_half_a_minute_three_times() {
    BedOptions options = options();

    assertThat(options.startsNodes()).isTrue();
    assertThat(options.nodes()).isEqualTo(3);
    assertThat(options.rows()).isEqualTo(100_000);
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.time().whole()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.limit()).as("time limit").isNull();
  }

  @Test
  void a_quick_run_is_smaller_and_ends_within_five_minutes() {
    BedOptions quick = options("--quick");

    assertThat(quick.rows()).isEqualTo(20_000);
    assertThat(quick.time().whole()).isEqualTo(Duration.ofSeconds(3));
    assertThat(quick.limit()).isNotNull().isLessThan(Duration.ofMinutes(5));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 200})
  @EnabledOnOs(OS.LINUX)
  void nodes_are_started_with_the_given_timer_slack(int tables) {
    BedOptions options = options("--timer-slack", "1000");

    assertThat(options.nodeCpu()).containsEntry("timer slack of a node", "1000 µs");
    assertThat(options.nodes(2, ClusterPartitioner.MURMUR3, tables).jvm().prefix())
        .isEqualTo(TimerSlack.prefix(Duration.ofMillis(1)));
  }

  @Test
  void given_values_override_those_of_a_quick_run() {
    BedOptions quick = options("--quick", "--rows", "7", "--seconds", "9", "--time-limit", "20");

    assertThat(quick.rows()).isEqualTo(7);
    assertThat(quick.time().whole()).isEqualTo(Duration.ofSeconds(9));
    assertThat(quick.limit()).isEqualTo(Duration.ofMinutes(20));
  }

  @Test
  void targets_warm_up_for_as_long_as_a_load_lasts_at_most_twenty_seconds() {
    BedOptions quick = options("--quick");
    BedOptions slow = options();

    assertThat(quick.warmUp(quick.time()).whole()).isEqualTo(Duration.ofSeconds(3));
    assertThat(slow.warmUp(slow.time()).whole()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void a_given_warm_up_does_not_depend_on_the_load() {
    BedOptions options = options("--quick", "--warm-up", "60");

    assertThat(options.warmUp(options.time()).whole()).isEqualTo(Duration.ofSeconds(60));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rows", "--seconds", "--warm-up", "--time-limit", "--rounds"})
  void a_value_below_one_is_refused_with_its_option(String option) {
    BedOptions options = options(option, "0");

    assertThatThrownBy(
            () -> {
              options.rows();
              options.warmUp(options.time());
              options.limit();
              options.rounds();
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(option + ": at least 1");
  }

  @Test
  void its_own_nodes_hold_the_measured_replicas() {
    BedSpec spec = spec(1, "--nodes", "4", "--cluster-port", "20000", "--storage-port", "21000");

    assertThat(spec.hosts()).isEmpty();
    assertThat(spec.cluster().nodes()).isEqualTo(4);
    assertThat(spec.cluster().topology().rf()).isEqualTo(2);
    assertThat(spec.cluster().ports().cql()).isEqualTo(20_000);
    assertThat(spec.cluster().ports().storage()).isEqualTo(21_000);
    assertThat(spec.proxyFolder()).isEqualTo(OUT.resolve("proxies"));
  }

  /** The number of nodes to start does not matter, because none is started. */
  @Test
  void running_nodes_are_measured_instead() {
    BedSpec spec = spec(1, "--hosts", "127.0.0.1:9042,127.0.0.2:9043", "--nodes", "1");

    assertThat(spec.hosts())
        .extracting(InetSocketAddress::getHostString, InetSocketAddress::getPort)
        .containsExactly(tuple("127.0.0.1", 9042), tuple("127.0.0.2", 9043));
    assertThat(spec.replicas()).isEqualTo(2);
    assertThat(spec.cluster().topology().rf()).isEqualTo(1);
  }

  @Test
  void a_host_without_a_port_is_refused() {
    assertThatThrownBy(() -> spec(1, "--hosts", "127.0.0.1"))
        .hasMessage("--hosts: '127.0.0.1' is not HOST:PORT");
  }

  @Test
  void many_tables_need_larger_nodes_and_a_row_each() {
    BedSpec one = spec(1, "--rows", "5");
    BedSpec many = spec(50, "--rows", "5");

    assertThat(one.cluster().jvm().heap()).isEqualTo("400m");
    assertThat(one.rows()).isEqualTo(5);
    assertThat(one.cluster().config().yaml()).isEmpty();
    assertThat(many.cluster().jvm().heap()).isEqualTo("1g");
    assertThat(many.rows()).isEqualTo(50);
    assertThat(many.cluster().config().yaml()).containsKey("memtable_allocation_type");
    assertThat(spec(50, "--heap", "600m").cluster().jvm().heap()).isEqualTo("600m");
  }

  @Test
  void a_report_is_named_by_its_kind_and_its_time_unless_it_has_a_folder() {
    ZonedDateTime now = ZonedDateTime.of(2026, 2, 3, 4, 5, 6, 0, ZoneOffset.UTC);

    assertThat(options().out("open-loop", now))
        .isEqualTo(Path.of(".sluice", "open-loop-20260203-040506"));
    assertThat(options("--out", "there").out("open-loop", now)).isEqualTo(Path.of("there"));
  }
}
