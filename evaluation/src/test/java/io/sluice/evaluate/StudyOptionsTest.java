package io.sluice.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cluster.ClusterSpec;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.kernel.Abilities;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The options of the studies of the host, and those of their disks. */
class StudyOptionsTest {
  private static final Abilities ALL = new Abilities(Set.of(Abilities.Means.values()));
  private static final Abilities NONE = new Abilities(Set.of());

  @TempDir private Path temp = Path.of("");

  private static <T> T parsed(T options, String... arguments) {
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.addMixin("options", options);
    line.parseArgs(arguments);
    return options;
  }

  private static StudyOptions options(String... arguments) {
    return parsed(new StudyOptions(), arguments);
  }

  private List<Disk.Plan> disks(Abilities able, String... arguments) {
    return parsed(new DiskOptions(), arguments).disks(temp, able);
  }

  @Test
  void a_quick_study_has_fewer_rounds_and_a_limit() {
    assertThat(options().rounds()).isEqualTo(3);
    assertThat(options().limit()).isNull();
    assertThat(options("--quick").rounds()).isEqualTo(2);
    assertThat(options("--quick").limit()).isEqualTo(Duration.ofMinutes(8));
    assertThat(options("--quick", "--rounds=5", "--time-limit=1").rounds()).isEqualTo(5);
    assertThat(options("--quick", "--time-limit=1").limit()).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource({", 30, 10, false, 30", ", 30, 10, true, 10", "7, 30, 10, true, 7"})
  void a_given_value_overrides_the_default_of_a_quick_study(
      Integer given, int otherwise, int quick, boolean isQuick, int value) {
    StudyOptions options = isQuick ? options("--quick") : options();

    assertThat(options.quick()).isEqualTo(isQuick);
    assertThat(options.given(given, otherwise, quick)).isEqualTo(value);
  }

  @Test
  void a_value_below_one_is_refused_with_its_option() {
    assertThatThrownBy(() -> options("--rounds=0").rounds()).hasMessage("--rounds: at least 1");
    assertThatThrownBy(() -> options("--time-limit=0").limit())
        .hasMessage("--time-limit: at least 1");
    assertThatThrownBy(() -> StudyOptions.time(0)).hasMessage("--seconds: at least 1");
    assertThat(StudyOptions.time(10).whole()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void a_node_has_the_version_heap_and_ports_of_the_options() {
    ClusterSpec node =
        options("--cassandra=4.1.9", "--heap=600m", "--cluster-port=20000", "--storage-port=21000")
            .node();

    assertThat(node.cassandra()).isEqualTo("4.1.9");
    assertThat(node.jvm().heap()).isEqualTo("600m");
    assertThat(node.ports().cql()).isEqualTo(20_000);
    assertThat(node.ports().storage()).isEqualTo(21_000);
    assertThat(node.nodes()).isEqualTo(1);
    assertThat(options().node().cassandra()).startsWith("5.0");
    assertThat(options().seed()).isEqualTo(1);
  }

  @Test
  void the_agent_is_a_file_with_an_absolute_path() throws Exception {
    Path jar = Files.createFile(temp.resolve("agent.jar"));

    assertThat(options("--agent=" + jar).agent()).isEqualTo(jar.toAbsolutePath());
    assertThatThrownBy(() -> options("--agent=" + temp).agent())
        .hasMessageStartingWith("there is no node agent at " + temp);
  }

  @Test
  void folders_are_those_of_the_options_or_named_by_kind_and_time() {
    ZonedDateTime now = ZonedDateTime.of(2026, 2, 3, 4, 5, 6, 0, ZoneOffset.UTC);

    assertThat(options().out("join", now)).isEqualTo(Path.of(".sluice", "join-20260203-040506"));
    assertThat(options("--out=there").out("join", now)).isEqualTo(Path.of("there"));
    assertThat(options("--dir=" + temp + "/a/../b").dir()).isEqualTo(temp.resolve("b"));
  }

  @Test
  void without_an_option_the_disk_is_the_one_of_the_nodes() throws Exception {
    List<Disk.Plan> disks = disks(NONE);

    assertThat(disks).extracting(Disk.Plan::name).containsExactly("this machine's disk");
    assertThat(DiskOptions.isSimulated(disks.get(0))).isFalse();
    try (Disk disk = disks.get(0).open()) {
      assertThat(disk.folder()).isEqualTo(temp);
    }
    assertThat(parsed(new DiskOptions()).needed()).isEmpty();
  }

  @Test
  void disks_are_measured_in_the_order_given_and_a_simulated_one_only_if_it_can_be_created() {
    String given = "--disk=sim,here," + temp.resolve("other");

    assertThat(disks(ALL, given))
        .extracting(Disk.Plan::name)
        .containsExactly("simulated disk", "this machine's disk", temp.resolve("other").toString());
    assertThat(disks(NONE, given)).hasSize(2).noneMatch(DiskOptions::isSimulated);
    assertThat(DiskOptions.isSimulated(disks(ALL, given).get(0))).isTrue();
    assertThat(parsed(new DiskOptions(), given).needed())
        .containsExactly(Abilities.Means.SIMULATED_DISK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "6144,0.8,16,8.33; --sim-disk: needs 5 values",
        "large,0.8,16,8.33,150; --sim-disk: not all numbers: large,0.8,16,8.33,150",
        "6144,0.8,16,8.33,fast; --sim-disk: not all numbers: 6144,0.8,16,8.33,fast",
        "63,0.8,16,8.33,150; --sim-disk: 64 MiB or more",
        "6144,16,0.8,8.33,150; --sim-disk: 64 MiB or more"
      })
  void an_invalid_simulated_disk_is_refused_with_its_option(String shape, String message) {
    assertThatThrownBy(() -> disks(ALL, "--disk=sim", "--sim-disk=" + shape))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void the_shape_does_not_matter_without_a_simulated_disk() {
    assertThat(disks(ALL, "--sim-disk=a,b,c,d,e")).hasSize(1);
  }
}
