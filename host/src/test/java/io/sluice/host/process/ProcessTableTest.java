package io.sluice.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.host.kernel.Folder;
import io.sluice.host.process.ProcessTable.HostProcess;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessTableTest {
  @TempDir private Path temp = Path.of("");
  private Folder folder = new Folder(temp);
  private ProcessTable processes = new ProcessTable(HostTree.at(temp));

  @BeforeEach
  void prepare() {
    folder = new Folder(temp).node(17, "unlimited", "100000");
    folder.file("/proc/3/comm", "ksmd\n").file("/proc/3/cmdline", "");
    folder.file("/proc/8/comm", "java\n").file("/proc/8/cmdline", "java\0-Xmx1G\0Other\0");
    processes = new ProcessTable(HostTree.at(temp));
  }

  @Test
  void nodes_are_the_processes_that_run_cassandra() throws IOException {
    assertThat(processes.all()).extracting(HostProcess::pid).containsExactly(3L, 8L, 17L);
    assertThat(processes.nodes()).extracting(HostProcess::title).containsExactly("Cassandra 17");
    assertThat(processes.find(4)).isEmpty();
  }

  @Test
  void arguments_may_be_in_a_file() throws IOException {
    folder.file(
        "/etc/args", "\"-Xmx2G\"\n-Xms1G \"org.apache.cassandra.service.CassandraDaemon\"\n");
    folder.file("/proc/9/comm", "java\n").file("/proc/9/cmdline", "java\0@/etc/args\0");
    assertThat(processes.nodes()).extracting(HostProcess::pid).containsExactly(9L, 17L);
    assertThat(processes.find(9).orElseThrow().option("-Xmx")).contains("2G");
  }

  @Test
  void the_last_of_equal_options_counts() {
    HostProcess process = new HostProcess(1, "java", java.util.List.of("java", "-Xmx1G", "-Xmx3G"));
    assertThat(process.option("-Xmx")).contains("3G");
    assertThat(process.option("-Xms")).isEmpty();
  }

  /** Puts the node, and another process of the same unit, into a control group. */
  private void group(String line) {
    folder.file("/proc/8/cgroup", line + "\n").file("/proc/17/cgroup", line + "\n");
  }

  @Test
  void a_service_is_found_in_both_versions_of_control_groups() throws IOException {
    assertThat(processes.ofService("cassandra")).isEmpty();
    group("0::/system.slice/cassandra.service");
    assertThat(processes.ofService("cassandra")).map(HostProcess::pid).contains(17L);
    group("4:memory:/\n1:name=systemd:/system.slice/cassandra.service");
    assertThat(processes.ofService("cassandra.service")).map(HostProcess::pid).contains(17L);
    assertThat(processes.ofService("cassandra2")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "cassandra@a, system-cassandra.slice/cassandra@a.service",
    "my-cassandra@a, system-my\\x2dcassandra.slice/my-cassandra@a.service",
    "cassandra-5.0, cassandra-5.0.service",
    "cassandra, cassandra.service/jvm",
    "run-r1.scope, run-r1.scope"
  })
  void a_service_may_be_an_instance_or_have_a_version_or_groups_of_its_own(
      String service, String group) throws IOException {
    group("0::/system.slice/" + group);

    assertThat(processes.ofService(service)).map(HostProcess::pid).contains(17L);
  }

  @Test
  void limits_are_read_as_the_kernel_shows_them() throws IOException {
    assertThat(processes.limit(17, "max open files")).contains("100000");
    assertThat(processes.limit(17, "max locked memory")).contains("unlimited");
    assertThat(processes.limit(8, "max open files")).isEmpty();
  }
}
