package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.jvm.GuardedJmx;
import io.sluice.host.jvm.JmxRefused;
import io.sluice.host.kernel.Folder;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.tree.HostTree;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node at a port of this JVM, or in a process that has a copied tree's arguments. */
@Timeout(60)
class JmxNodeTest {
  /** No process has it. */
  private static final long PID = Integer.MAX_VALUE;

  @TempDir private Path temp = Path.of("");

  private JmxNode node(@Nullable JmxPort port) {
    return new JmxNode(new ProcessTable(HostTree.at(temp)), PID, port);
  }

  private void arguments(String line) {
    new Folder(temp)
        .file("/proc/" + PID + "/comm", "java\n")
        .file("/proc/" + PID + "/cmdline", line.replace(' ', '\0') + "\0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java -XX:+DisableAttachMechanism Main",
        "java -XX:-DisableAttachMechanism -XX:+DisableAttachMechanism Main",
        "java -Xrs Main",
        "java -XX:+ReduceSignalUsage Main"
      })
  void a_jvm_whose_flags_forbid_to_attach_refuses_before_any_signal(String line) {
    arguments(line);

    assertThatThrownBy(node(null)::now)
        .isInstanceOf(JmxRefused.class)
        .hasMessageStartingWith("process " + PID + ": no process can attach to a JVM with -X")
        .hasMessageEndingWith("; name the port of its JMX with --jmx");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"java -XX:+DisableAttachMechanism -XX:-DisableAttachMechanism Main", "sh start"})
  void a_process_without_such_a_flag_may_still_become_a_node(String line) throws Exception {
    arguments(line);

    assertThat(node(null).now().problem()).isNotEmpty();
  }

  @Test
  void a_port_without_jmx_may_still_get_it() throws Exception {
    JmxPort port;
    try (GuardedJmx jmx = new GuardedJmx("anna", "secret")) {
      port = new JmxPort(jmx.address(), null);
    }

    assertThat(node(port).now().problem()).contains("RMIServer stub");
  }

  @Test
  void a_port_that_asks_for_a_login_refuses_and_names_the_options() throws Exception {
    try (GuardedJmx jmx = new GuardedJmx("anna", "secret")) {
      assertThatThrownBy(node(new JmxPort(jmx.address(), null))::now)
          .isInstanceOf(JmxRefused.class)
          .hasMessage(
              "process %d: JMX refuses the login: Authentication failed!; give --jmx-user and"
                  + " --jmx-password-file, or leave out --jmx to attach to its JVM",
              PID);
    }
  }

  @Test
  void a_wrong_login_is_refused_and_is_to_be_checked() throws Exception {
    JmxPort.Login login = new JmxPort.Login("anna", "guessed");
    try (GuardedJmx jmx = new GuardedJmx("anna", "secret")) {
      assertThatThrownBy(node(new JmxPort(jmx.address(), login))::now)
          .isInstanceOf(JmxRefused.class)
          .hasMessageContaining("check --jmx-user")
          .hasMessageNotContaining("guessed");
    }
    assertThat(login).hasToString("anna");
  }

  /** The attribute of Cassandra's bean that is read. */
  public interface Mode {
    String getOperationMode();
  }

  @Test
  void a_login_reads_the_mode() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("org.apache.cassandra.db:type=StorageService");
    Mode mode = () -> "JOINING";
    beans.registerMBean(new StandardMBean(mode, Mode.class), name);
    JmxPort.Login login = new JmxPort.Login("anna", "secret");
    try (GuardedJmx jmx = new GuardedJmx("anna", "secret");
        JmxNode node = node(new JmxPort(jmx.address(), login))) {
      assertThat(node.now().mode()).isEqualTo(Optional.of("JOINING"));
    } finally {
      beans.unregisterMBean(name);
    }
  }
}
