package io.sluice.evaluate.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cluster.ClusterSpec;
import io.sluice.evaluate.disk.Disk;
import io.sluice.evaluate.drive.LoadTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plans of the studies, which are not opened here. */
class PlansTest {
  private static final LoadTime TIME = LoadTime.of(Duration.ofSeconds(30));
  private static final Path AGENT = Path.of("agent.jar");

  private static final Disk.Plan DISK =
      new Disk.Plan() {
        @Override
        public String name() {
          return "ssd";
        }

        @Override
        public Disk open() {
          throw new IllegalStateException("no test opens a disk");
        }
      };

  @TempDir private Path temp = Path.of("");

  private static CachePlan cache(int rows, int valueBytes, int percent) {
    return new CachePlan(
        SstableFormat.BTI,
        DISK,
        ClusterSpec.defaults(),
        AGENT,
        new CachePlan.Settings(rows, valueBytes, percent, 4, 1, TIME, 1),
        Path.of("groups"));
  }

  @ParameterizedTest
  @CsvSource({"1000000, 400, 76", "400000, 400, 30", "1000, 400, 16", "10000000, 1000, 1907"})
  void the_agent_may_pin_a_fifth_of_the_table(int rows, int valueBytes, long mebibytes) {
    assertThat(cache(rows, valueBytes, 30).budgetMiB()).isEqualTo(mebibytes);
  }

  @ParameterizedTest
  @CsvSource({
    "400000000, 30, 120000000",
    "400000000, 1, 50331648",
    "100, 30, 50331648",
    "10000000000, 50, 5000000000"
  })
  void the_page_cache_is_a_part_of_the_table_and_never_too_small_for_the_jvm(
      long table, int percent, long bytes) {
    assertThat(cache(1_000, 400, percent).cacheBytes(table)).isEqualTo(bytes);
  }

  @Test
  void a_step_of_the_cache_takes_its_load_and_a_few_seconds() {
    assertThat(cache(1_000, 400, 30).step()).isEqualTo(Duration.ofSeconds(35));
    assertThat(cache(1_000, 400, 30).group()).isEqualTo(SstableFormat.BTI + ", ssd");
  }

  private static ColocationPlan colocation(int nodes, int settle) {
    return new ColocationPlan(
        nodes,
        ClusterSpec.defaults(),
        Path.of("nodes"),
        AGENT,
        Merging.all(List.of(10)),
        new ColocationPlan.Settings(2200, 300_000, 16, settle, TIME, 1),
        Path.of("/"));
  }

  @Test
  void a_step_of_colocated_nodes_takes_the_time_that_merging_settles_too() {
    assertThat(colocation(1, 60).group()).isEqualTo("1 node");
    assertThat(colocation(3, 60).group()).isEqualTo("3 nodes");
    assertThat(colocation(3, 60).step()).isEqualTo(Duration.ofSeconds(93));
    assertThat(colocation(3, 20).step()).isEqualTo(Duration.ofSeconds(53));
  }

  @Test
  void the_targets_of_colocated_nodes_are_the_settings_of_merging() {
    ColocationBed bed = new ColocationBed(colocation(2, 60), new Silent());

    assertThat(bed.targets()).startsWith("off", "default", "every 10 ms").endsWith("advisor");
    assertThat(bed.loads()).containsExactly("half reads, half writes");
    bed.close();
  }

  private JoinPlan join(List<Integer> loads) {
    return new JoinPlan(
        DISK,
        ClusterSpec.defaults(),
        temp,
        AGENT,
        Path.of("sluice"),
        List.of(JoinVariant.STOCK, JoinVariant.ALL),
        loads,
        new JoinSettings(28, 1100, 4000, 1));
  }

  @Test
  void nodes_of_a_join_are_started_by_its_script_and_stream_faster_than_the_disk() {
    ClusterSpec spec = join(List.of(0)).spec();

    assertThat(spec.dir()).isEqualTo(temp.resolve("join-study"));
    assertThat(spec.jvm().prefix()).containsExactly(temp.resolve("join-launch").toString());
    assertThat(spec.config().yaml())
        .containsEntry("stream_throughput_outbound", "500MiB/s")
        .containsEntry("entire_sstable_stream_throughput_outbound", "500MiB/s");
    assertThat(join(List.of(0)).group()).isEqualTo("ssd");
  }

  @Test
  void the_loads_and_targets_of_a_join_are_named_and_its_files_are_removed() throws Exception {
    JoinPlan plan = join(List.of(0, 120));
    plan.script().with(List.of());
    Files.createDirectories(plan.template().resolve("data"));
    Files.createDirectories(plan.spec().dir());
    JoinBed bed = new JoinBed(plan, new Silent());

    assertThat(bed.loads()).containsExactly("no load", "120 reads a second");
    assertThat(bed.targets()).containsExactly("stock", "all");
    bed.close();
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void the_joining_node_begins_without_files_of_an_earlier_run_and_leaves_none() throws Exception {
    JoinPlan plan = join(List.of(0));
    Files.createDirectories(plan.spec().dir());
    Disk disk = new FakeDisk(temp.resolve("disk"), new ArrayList<>(), false);
    Files.createDirectories(disk.folder().resolve("sluice-joiner/data"));
    JoinBed bed = new JoinBed(plan, new Silent());

    Path joiner = bed.prepareJoiner(disk);

    assertThat(joiner).isEqualTo(disk.folder().resolve("sluice-joiner")).isEmptyDirectory();
    assertThat(plan.spec().dir().resolve("node2")).isSymbolicLink().isDirectory();
    Files.createFile(joiner.resolve("file"));
    bed.close();
    assertThat(disk.folder()).isEmptyDirectory();
  }

  @Test
  void without_a_control_group_no_load_has_little_memory() {
    CacheBed bed = new CacheBed(cache(1_000, 400, 30), null, new Silent());

    assertThat(bed.loads()).containsExactly(CacheBed.SPARE);
    assertThat(bed.targets()).containsExactly("stock", "pinned");
    bed.close();
  }

  @Test
  void a_part_that_cannot_be_stopped_is_reported_and_the_others_are_stopped() {
    Silent notes = new Silent();
    CacheBed bed = new CacheBed(cache(1_000, 400, 30), null, notes);
    List<String> closed = new ArrayList<>();
    bed.keep(new FakeDisk(temp, closed, true));
    bed.keep(new FakeDisk(temp.resolve("other"), closed, false));

    assertThat(bed.folder()).isEqualTo(temp.resolve("other"));
    bed.close();
    assertThat(closed).containsExactly("other", temp.getFileName().toString());
    assertThat(notes.said).containsExactly("cannot stop a part of the test bed: the disk is busy");
  }

  /** A disk that records its end. */
  private record FakeDisk(Path folder, List<String> closed, boolean busy) implements Disk {
    @Override
    public Map<String, String> about() {
      return Map.of();
    }

    @Override
    public void close() {
      closed.add(folder.getFileName().toString());
      if (busy) {
        throw new IllegalStateException("the disk is busy");
      }
    }
  }

  /** Notes that only keep what is said. */
  private static final class Silent implements Bed.Notes {
    private final List<String> said = new ArrayList<>();

    @Override
    public void say(String line) {
      said.add(line);
    }

    @Override
    public void note(String sentence) {}

    @Override
    public void setting(String name, String value) {}
  }
}
