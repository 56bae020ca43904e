package io.sluice.host.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.host.jvm.GuardedJmx;
import io.sluice.host.jvm.JmxRefused;
import io.sluice.host.jvm.TestKey;
import io.sluice.host.kernel.Folder;
import io.sluice.host.process.ProcessTable;
import io.sluice.host.tree.HostTree;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
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

  private static final JmxPort.Login LOGIN = new JmxPort.Login("anna", "secret");

  /** Its certificate is that of all these tests, because it holds for the whole JVM. */
  private static TestKey key = null;

  @TempDir private Path temp = Path.of("");

  @BeforeAll
  static void createKey(@TempDir Path folder) throws Exception {
    key = TestKey.in(folder);
  }

  private static JmxPort.Tls tls() throws GeneralSecurityException {
    return new JmxPort.Tls(List.of(key.certificate()));
  }

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
      port = new JmxPort(jmx.address(), null, null);
    }

    assertThat(node(port).now().problem()).contains("RMIServer stub");
  }

  @Test
  void a_port_that_asks_for_a_login_refuses_and_names_the_options() throws Exception {
    try (GuardedJmx jmx = new GuardedJmx("anna", "secret")) {
      assertThatThrownBy(node(new JmxPort(jmx.address(), null, null))::now)
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
      assertThatThrownBy(node(new JmxPort(jmx.address(), login, null))::now)
          .isInstanceOf(JmxRefused.class)
          .hasMessageContaining("check --jmx-user")
          .hasMessageNotContaining("guessed");
    }
    assertThat(login).hasToString("anna");
  }

  @Test
  void a_login_that_may_not_read_the_mode_is_refused() throws Exception {
    Path none = Files.createFile(temp.resolve("permissions"));
    try (GuardedJmx jmx = GuardedJmx.withoutPermissions(none, "anna", "secret")) {
      assertThatThrownBy(() -> modeAt(new JmxPort(jmx.address(), LOGIN, null)))
          .isInstanceOf(JmxRefused.class)
          .hasMessageContaining(": the login may not read OperationMode: Access denied!")
          .hasMessageEndingWith("or leave out --jmx to attach to its JVM");
    }
  }

  @Test
  void a_port_with_tls_refuses_a_connection_without_and_names_the_option() throws Exception {
    try (GuardedJmx jmx = GuardedJmx.withTls(key, "anna", "secret")) {
      assertThatThrownBy(node(new JmxPort(jmx.address(), LOGIN, null))::now)
          .isInstanceOf(JmxRefused.class)
          .hasMessage(
              "process %d: the port has no JMX without TLS; give --jmx-tls, or leave out --jmx to"
                  + " attach to its JVM",
              PID);
    }
  }

  @Test
  void a_port_with_a_certificate_of_the_authority_is_read() throws Exception {
    try (GuardedJmx jmx = GuardedJmx.withTls(key, "anna", "secret")) {
      assertThat(modeAt(new JmxPort(jmx.address(), LOGIN, tls()))).isEqualTo("JOINING");
    }
  }

  @Test
  void a_port_with_a_certificate_of_another_authority_is_refused() throws Exception {
    try (GuardedJmx jmx = GuardedJmx.withTls(TestKey.in(temp), "anna", "secret")) {
      assertThatThrownBy(node(new JmxPort(jmx.address(), LOGIN, tls()))::now)
          .isInstanceOf(JmxRefused.class)
          .hasMessageContaining("no TLS with the port: ")
          .hasMessageContaining("; check --jmx-tls and --jmx-trust, or leave out --jmx");
    }
  }

  /** As a port without TLS does, and a forwarder while the node behind it starts. */
  @Test
  void a_port_that_closes_a_tls_connection_at_once_may_still_get_tls() throws Exception {
    try (ServerSocket forwarder = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread closing =
          new Thread(
              () -> {
                try {
                  while (true) {
                    forwarder.accept().close();
                  }
                } catch (IOException e) {
                  return; // the test is over
                }
              });
      closing.start();
      String address = "127.0.0.1:" + forwarder.getLocalPort();

      assertThat(node(new JmxPort(address, null, tls())).now().problem()).isNotEmpty();
    }
  }

  /** The attribute of Cassandra's bean that is read. */
  public interface Mode {
    String getOperationMode();
  }

  private String modeAt(JmxPort port) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("org.apache.cassandra.db:type=StorageService");
    Mode mode = () -> "JOINING";
    beans.registerMBean(new StandardMBean(mode, Mode.class), name);
    try (JmxNode node = node(port)) {
      return node.now().mode().orElse("");
    } finally {
      beans.unregisterMBean(name);
    }
  }

  @Test
  void a_login_reads_the_mode() throws Exception {
    try (GuardedJmx jmx = new GuardedJmx("anna", "secret")) {
      assertThat(modeAt(new JmxPort(jmx.address(), LOGIN, null))).isEqualTo("JOINING");
    }
  }
}
