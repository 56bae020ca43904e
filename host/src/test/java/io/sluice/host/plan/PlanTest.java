package io.sluice.host.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.kernel.Folder;
import io.sluice.host.kernel.ModelKernel;
import io.sluice.host.plan.Advice.Verdict;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTest {
  private static final String ALL = "none [mq-deadline] kyber bfq";
  private static final String SCHEDULER = "ATTR{queue/scheduler}=";
  private static final String READ_AHEAD = "ATTR{queue/read_ahead_kb}=";

  @TempDir private Path temp = Path.of("");
  private Folder folder = new Folder(temp);

  @BeforeEach
  void prepare() {
    folder = new Folder(temp).kernel();
  }

  private Plan plan(Plan.Options options) throws IOException {
    return Plan.of(new ModelKernel(folder).boot(), options);
  }

  private Map<String, String> changes() throws IOException {
    return plan(Plan.Options.none()).changes();
  }

  private static String queue(String device, String name) {
    return "/sys/block/" + device + "/queue/" + name;
  }

  private Map<String, List<String>> export(Plan.Options options) throws IOException {
    return Fragments.of(new ModelKernel(folder).boot(), options).files();
  }

  /** Returns a rule of udev with these values. */
  private static String rule(String names, String rotational, String... values) {
    return "ACTION==\"add|change\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", KERNEL==\""
        + names
        + "\", ATTR{queue/rotational}==\""
        + rotational
        + "\", "
        + String.join(", ", values);
  }

  private Advice line(String path) throws IOException {
    return plan(Plan.Options.none()).lines().stream()
        .filter(line -> line.path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void each_kind_of_disk_gets_its_own_settings() throws IOException {
    folder
        .disk("sda", "none mq-deadline kyber [bfq]", true, 128)
        .disk("sdb", "none mq-deadline kyber [bfq]", false, 128)
        .disk("nvme0n1", ALL, false, 128)
        .disk("vda", ALL, true, 8192);

    Map<String, String> changes = changes();
    changes.keySet().removeIf(path -> !path.startsWith("/sys/block/"));
    assertThat(changes)
        .isEqualTo(
            Map.of(
                queue("sda", "scheduler"), "mq-deadline",
                queue("sda", "read_ahead_kb"), "64",
                queue("sdb", "scheduler"), "mq-deadline",
                queue("sdb", "read_ahead_kb"), "4",
                queue("nvme0n1", "scheduler"), "none",
                queue("nvme0n1", "read_ahead_kb"), "4",
                queue("vda", "read_ahead_kb"), "64"));
  }

  @Test
  void a_disk_of_a_hypervisor_behind_scsi_is_a_virtual_one() throws IOException {
    folder
        .disk("sda", "[none] mq-deadline bfq", true, 64)
        .file("/sys/block/sda/device/vendor", "QEMU    \n");
    assertThat(changes()).doesNotContainKey(queue("sda", "scheduler"));
  }

  @Test
  void less_read_ahead_than_recommended_stays() throws IOException {
    folder.disk("sda", ALL, true, 16);
    assertThat(line(queue("sda", "read_ahead_kb")).verdict()).isEqualTo(Verdict.KEEP);
  }

  @Test
  void an_operator_can_choose_bfq_and_its_slices() throws IOException {
    folder.disk("sda", ALL, true, 64).disk("sdb", ALL, false, 4);
    Plan.Options options = new Plan.Options(Map.of(DiskKind.ROTATIONAL, "bfq"), 3, List.of());
    Map<String, String> changes = plan(options).changes();
    changes.keySet().removeIf(path -> !path.startsWith("/sys/block/"));
    assertThat(changes)
        .containsExactly(
            Map.entry(queue("sda", "scheduler"), "bfq"),
            Map.entry(queue("sda", "iosched/low_latency"), "0"),
            Map.entry(queue("sda", "iosched/timeout_sync"), "372"),
            Map.entry(queue("sda", "iosched/fifo_expire_sync"), "375"),
            Map.entry(queue("sda", "iosched/fifo_expire_async"), "750"));
  }

  @Test
  void bfq_does_not_idle_on_a_disk_without_seeks() throws IOException {
    folder.disk("sda", ALL, true, 64).disk("sdb", ALL, false, 4);
    Plan.Options options =
        new Plan.Options(Map.of(DiskKind.ROTATIONAL, "bfq", DiskKind.SSD, "bfq"), 1, List.of());

    assertThat(plan(options).changes().keySet())
        .filteredOn(path -> path.contains("iosched"))
        .containsExactly(
            queue("sda", "iosched/low_latency"),
            queue("sdb", "iosched/low_latency"),
            queue("sdb", "iosched/slice_idle"));
  }

  @Test
  void the_source_of_a_scheduler_is_the_operator_where_it_was_chosen() throws IOException {
    folder.disk("sda", "none mq-deadline kyber [bfq]", true, 64);
    Plan.Options chosen = new Plan.Options(Map.of(DiskKind.ROTATIONAL, "kyber"), 1, List.of());

    assertThat(line(queue("sda", "scheduler")).source()).startsWith("Red Hat");
    assertThat(plan(chosen).lines())
        .filteredOn(line -> line.path().equals(queue("sda", "scheduler")))
        .singleElement()
        .satisfies(line -> assertThat(line.source()).isEqualTo("your --scheduler"))
        .satisfies(line -> assertThat(line.proposed()).isEqualTo("kyber"));
  }

  @Test
  void only_named_devices_are_included() throws IOException {
    folder.disk("sda", ALL, true, 128).disk("sdb", ALL, true, 128).disk("loop0", ALL, true, 128);
    Plan.Options options = new Plan.Options(Map.of(), 1, List.of("sdb", "loop0"));

    assertThat(plan(options).changes().keySet())
        .filteredOn(path -> path.startsWith("/sys/block/"))
        .containsExactly(queue("sdb", "read_ahead_kb"));
  }

  @Test
  void for_a_join_only_schedulers_that_were_chosen_are_planned() throws IOException {
    folder.disk("sda", ALL, true, 128).disk("nvme0n1", "[none] bfq", false, 128);
    Plan.Options options = new Plan.Options(Map.of(DiskKind.ROTATIONAL, "bfq"), 1, List.of());
    HostTree tree = new ModelKernel(folder).boot();

    assertThat(Plan.ofChosenSchedulers(tree, options).changes())
        .containsExactly(
            Map.entry(queue("sda", "scheduler"), "bfq"),
            Map.entry(queue("sda", "iosched/low_latency"), "0"));
    assertThat(Plan.ofChosenSchedulers(tree, Plan.Options.none()).changes()).isEmpty();
  }

  @Test
  void read_ahead_has_the_reason_of_its_disk_and_a_text_stays() throws IOException {
    folder.disk("sda", ALL, true, 128).disk("sdb", ALL, false, 128).disk("sdc", ALL, true, 1);
    folder.file(queue("sdc", "read_ahead_kb"), "many\n");

    assertThat(line(queue("sda", "read_ahead_kb")).why()).contains("at most 64 KB ahead");
    assertThat(line(queue("sdb", "read_ahead_kb")).why()).startsWith("flash: ");
    assertThat(line(queue("sdc", "read_ahead_kb")).verdict()).isEqualTo(Verdict.LEAVE);
  }

  @Test
  void a_scheduler_that_the_kernel_does_not_offer_is_left_alone() throws IOException {
    folder.disk("sda", "[none] kyber", true, 64);
    assertThat(line(queue("sda", "scheduler")))
        .satisfies(line -> assertThat(line.verdict()).isEqualTo(Verdict.LEAVE))
        .satisfies(line -> assertThat(line.why()).contains("does not offer mq-deadline"));
  }

  @Test
  void a_device_that_is_not_known_is_named_and_left_alone() throws IOException {
    folder.disk("mmcblk0", "none mq-deadline [bfq]", false, 128);
    folder
        .disk("sdz", "none mq-deadline [bfq]", false, 128)
        .file("/sys/block/sdz/removable", "1\n");
    folder.disk("loop0", "none mq-deadline [bfq]", false, 128);
    assertThat(line("/sys/block/mmcblk0").verdict()).isEqualTo(Verdict.LEAVE);
    assertThat(line("/sys/block/sdz").verdict()).isEqualTo(Verdict.LEAVE);
    assertThat(changes().keySet()).noneMatch(path -> path.startsWith("/sys/block/"));
    assertThat(plan(Plan.Options.none()).lines()).noneMatch(line -> line.path().contains("loop0"));
  }

  @Test
  void a_device_composed_of_others_has_read_ahead_and_no_scheduler() throws IOException {
    folder.disk("dm-0", "none", false, 128).disk("md0", "none", true, 4096);
    assertThat(line(queue("dm-0", "scheduler")).verdict()).isEqualTo(Verdict.LEAVE);
    assertThat(changes())
        .containsEntry(queue("dm-0", "read_ahead_kb"), "4")
        .containsEntry(queue("md0", "read_ahead_kb"), "64");
  }

  @Test
  void memory_gets_the_settings_that_cassandra_checks_at_its_start() throws IOException {
    assertThat(changes())
        .containsOnly(
            Map.entry("/proc/sys/vm/max_map_count", "1048575"),
            Map.entry("/sys/kernel/mm/transparent_hugepage/enabled", "madvise"));
    folder.vm("max_map_count", "2000000").vm("zone_reclaim_mode", "1");
    folder.file("/proc/swaps", "Filename\tType\n/dev/sdq1 partition 1 0 -2\n");
    assertThat(changes())
        .containsOnly(
            Map.entry("/proc/sys/vm/swappiness", "1"),
            Map.entry("/proc/sys/vm/zone_reclaim_mode", "0"),
            Map.entry("/sys/kernel/mm/transparent_hugepage/enabled", "madvise"));
    assertThat(line("swap").verdict()).isEqualTo(Verdict.BY_HAND);
  }

  @Test
  void limits_of_a_running_node_are_compared_and_not_changed() throws IOException {
    folder.node(17, "8388608", "1048576");
    assertThat(line("Cassandra 17: max locked memory"))
        .satisfies(line -> assertThat(line.verdict()).isEqualTo(Verdict.BY_HAND))
        .satisfies(line -> assertThat(line.proposed()).isEqualTo("unlimited"));
    assertThat(line("Cassandra 17: max open files").verdict()).isEqualTo(Verdict.KEEP);
    assertThat(line("Cassandra 17: max address space").verdict()).isEqualTo(Verdict.KEEP);
  }

  @Test
  void every_line_has_a_reason_and_a_source() throws IOException {
    folder.disk("sda", ALL, true, 128).node(17, "1", "1");
    assertThat(plan(Plan.Options.none()).lines())
        .allSatisfy(
            line -> {
              assertThat(line.why()).isNotBlank();
              assertThat(line.source()).isNotBlank();
              assertThat(line.current()).isNotBlank();
            });
  }

  @Test
  void export_includes_settings_that_are_good_already() throws IOException {
    folder
        .disk("sda", ALL, true, 64)
        .disk("sdb", ALL, true, 64)
        .disk("nvme0n1", "[none] bfq", false, 128)
        .vm("max_map_count", "1048575");
    Map<String, List<String>> files = export(Plan.Options.none());
    assertThat(files.get(Fragments.SYSCTL))
        .containsExactly("vm.max_map_count = 1048575", "vm.zone_reclaim_mode = 0");
    assertThat(files.get(Fragments.UDEV))
        .containsExactly(
            rule("nvme*", "0", SCHEDULER + "\"none\"", READ_AHEAD + "\"4\""),
            rule("sd*", "1", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"64\""));
    assertThat(files.get(Fragments.TMPFILES))
        .contains("w /sys/kernel/mm/transparent_hugepage/enabled - - - - madvise");
    assertThat(files.get(Fragments.LIMITS))
        .containsExactly(
            "[Service]",
            "LimitMEMLOCK=infinity",
            "LimitNOFILE=100000",
            "LimitNPROC=32768",
            "LimitAS=infinity");
  }

  @Test
  void export_has_the_recommended_value_for_disks_of_which_one_keeps_its_own() throws IOException {
    folder
        .disk("sda", "[none] mq-deadline", false, 0)
        .disk("sdb", "[bfq] none mq-deadline", false, 128);

    assertThat(export(Plan.Options.none()).get(Fragments.UDEV))
        .containsExactly(rule("sd*", "0", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"4\""));
  }

  @Test
  void export_has_no_value_that_a_disk_merely_keeps() throws IOException {
    folder
        .disk("sda", "[none] mq-deadline", false, 0)
        .disk("sdb", ALL, true, 16)
        .disk("dm-0", "[none] bfq", true, 64);

    assertThat(export(Plan.Options.none()).get(Fragments.UDEV))
        .containsExactly(
            rule("dm-*", "1", READ_AHEAD + "\"64\""),
            rule("sd*", "1", SCHEDULER + "\"mq-deadline\""));
  }

  @Test
  void export_has_no_value_of_the_kernel_that_is_merely_as_good() throws IOException {
    folder.vm("max_map_count", "2000000").vm("swappiness", "0");
    folder.file("/proc/swaps", "Filename\tType\n/dev/sdq1 partition 1 0 -2\n");
    folder.file("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");

    Map<String, List<String>> files = export(Plan.Options.none());

    assertThat(files.get(Fragments.SYSCTL)).containsExactly("vm.zone_reclaim_mode = 0");
    assertThat(files.get(Fragments.TMPFILES))
        .containsExactly("w /sys/kernel/mm/transparent_hugepage/defrag - - - - madvise");
    assertThat(line("/proc/sys/vm/max_map_count").verdict()).isEqualTo(Verdict.KEEP);
    assertThat(line("/proc/sys/vm/swappiness").verdict()).isEqualTo(Verdict.KEEP);
  }

  @Test
  void export_for_named_devices_matches_no_others() throws IOException {
    folder.disk("sda", ALL, true, 128).disk("sdb", ALL, true, 128).disk("sdc", ALL, true, 128);

    assertThat(export(new Plan.Options(Map.of(), 1, List.of("sdb", "sdc"))).get(Fragments.UDEV))
        .containsExactly(
            rule("sdb", "1", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"64\""),
            rule("sdc", "1", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"64\""));
  }

  /** Behind SCSI, a disk of a hypervisor has the same names as a real one. */
  @Test
  void export_matches_disks_of_two_kinds_with_the_same_names_one_by_one() throws IOException {
    folder.disk("sda", ALL, true, 128).disk("sdb", ALL, true, 128).disk("sdc", ALL, false, 128);
    folder.file("/sys/block/sdb/device/vendor", "QEMU    \n");
    Plan.Options options = new Plan.Options(Map.of(DiskKind.ROTATIONAL, "bfq"), 1, List.of());

    assertThat(export(options).get(Fragments.UDEV))
        .containsExactly(
            rule(
                "sda",
                "1",
                SCHEDULER + "\"bfq\"",
                "ATTR{queue/iosched/low_latency}=\"0\"",
                READ_AHEAD + "\"64\""),
            rule("sdb", "1", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"64\""),
            rule("sd*", "0", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"4\""));
  }

  @Test
  void export_matches_no_disk_of_another_kind_that_merely_keeps_its_values() throws IOException {
    folder.disk("sda", ALL, true, 128).disk("sdb", "[none] bfq", true, 16);
    folder.file("/sys/block/sdb/device/vendor", "QEMU    \n");
    folder.disk("sdc", ALL, false, 128).disk("sdd", ALL, false, 128);
    folder.file("/sys/block/sdd/removable", "1\n");

    assertThat(export(Plan.Options.none()).get(Fragments.UDEV))
        .containsExactly(
            rule("sda", "1", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"64\""),
            rule("sd*", "0", SCHEDULER + "\"mq-deadline\"", READ_AHEAD + "\"4\""));
  }

  @Test
  void without_swap_its_setting_is_left_alone() throws IOException {
    assertThat(line("/proc/sys/vm/swappiness").verdict()).isEqualTo(Verdict.LEAVE);
  }

  @Test
  void another_system_than_linux_is_refused() {
    assertThatThrownBy(() -> Plan.of(HostTree.at(temp.resolve("empty")), Plan.Options.none()))
        .hasMessageContaining("not a Linux host");
  }
}
