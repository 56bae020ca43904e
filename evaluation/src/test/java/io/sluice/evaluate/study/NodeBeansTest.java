package io.sluice.evaluate.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cluster.ClusterFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.ListenerNotFoundException;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.MBeanServerFactory;
import javax.management.NotificationFilter;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXConnector;
import javax.security.auth.Subject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The beans of a node, in a server of this JVM. */
class NodeBeansTest {
  private static final String PIN = "io.sluice:type=Pin";

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final Pinned pinned = new Pinned();
  private final Service service = new Service();
  private final Connection connection = new Connection(server);
  private final NodeBeans beans = new NodeBeans(connection);

  /** A bean with numbers and a switch. */
  public interface Pinning {
    /** Returns the pinned bytes. */
    long getPinnedBytes();

    /** Whether pinning is on. */
    boolean isEnabled();

    /** Turns pinning on or off. */
    void setEnabled(boolean on);
  }

  private static final class Pinned implements Pinning {
    private boolean enabled = true;

    @Override
    public long getPinnedBytes() {
      return 7_000_000_000L;
    }

    @Override
    public boolean isEnabled() {
      return enabled;
    }

    @Override
    public void setEnabled(boolean on) {
      enabled = on;
    }
  }

  /** The operation of Cassandra's bean that a study uses. */
  public interface Compaction {
    /** Disables automatic compaction of tables; of all tables of the keyspace if none is named. */
    void disableAutoCompaction(String keyspace, String... tables) throws IOException;
  }

  private static final class Service implements Compaction {
    private final List<String> disabled = new ArrayList<>();

    @Override
    public void disableAutoCompaction(String keyspace, String... tables) throws IOException {
      if (keyspace.equals("none")) {
        throw new IOException("no keyspace none");
      }
      disabled.add(keyspace + " " + tables.length);
    }
  }

  /** A connection to a server of this JVM, which may be broken. */
  private static final class Connection implements JMXConnector {
    private final MBeanServer server;
    private boolean broken;
    private int closed;

    Connection(MBeanServer server) {
      this.server = server;
    }

    @Override
    public MBeanServerConnection getMBeanServerConnection() throws IOException {
      if (broken) {
        throw new IOException("connection refused");
      }
      return server;
    }

    @Override
    public void close() throws IOException {
      closed++;
      if (broken) {
        throw new IOException("connection refused");
      }
    }

    @Override
    public void connect() {}

    @Override
    public void connect(Map<String, ?> environment) {}

    @Override
    public MBeanServerConnection getMBeanServerConnection(Subject subject) {
      return server;
    }

    @Override
    public void addConnectionNotificationListener(
        NotificationListener listener, NotificationFilter filter, Object handback) {}

    @Override
    public void removeConnectionNotificationListener(NotificationListener listener)
        throws ListenerNotFoundException {
      throw new ListenerNotFoundException("there are none");
    }

    @Override
    public void removeConnectionNotificationListener(
        NotificationListener listener, NotificationFilter filter, Object handback)
        throws ListenerNotFoundException {
      throw new ListenerNotFoundException("there are none");
    }

    @Override
    public String getConnectionId() {
      return "1";
    }
  }

  @BeforeEach
  void register() throws Exception {
    server.registerMBean(new StandardMBean(pinned, Pinning.class), new ObjectName(PIN));
    server.registerMBean(
        new StandardMBean(service, Compaction.class),
        new ObjectName("org.apache.cassandra.db:type=StorageService"));
  }

  @Test
  void attributes_are_read_and_set() {
    assertThat(beans.number(PIN, "PinnedBytes")).isEqualTo(7_000_000_000L);
    assertThat(beans.get(PIN, "Enabled")).isEqualTo(true);

    beans.set(PIN, "Enabled", false);
    assertThat(pinned.isEnabled()).isFalse();
  }

  @Test
  void a_bean_is_there_or_not() {
    assertThat(beans.has(PIN)).isTrue();
    assertThat(beans.has("io.sluice:type=Join")).isFalse();
  }

  @Test
  void compaction_is_disabled_for_all_tables_of_a_keyspace() {
    beans.disableCompaction("ks");

    assertThat(service.disabled).containsExactly("ks 0");
    assertThatThrownBy(() -> beans.disableCompaction("none")).isInstanceOf(ClusterFailure.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.sluice:type=Join", "no name of a bean"})
  void a_bean_that_is_missing_is_named(String bean) {
    assertThatThrownBy(() -> beans.number(bean, "PinnedBytes"))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageStartingWith(bean + " cannot be reached by JMX: ");
    assertThatThrownBy(() -> beans.set(bean, "Enabled", true)).isInstanceOf(ClusterFailure.class);
  }

  @Test
  void a_node_that_has_ended_is_a_failure_until_its_beans_are_closed() {
    connection.broken = true;

    assertThatThrownBy(() -> beans.number(PIN, "PinnedBytes"))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageEndingWith("connection refused");
    assertThatThrownBy(() -> beans.has(PIN)).isInstanceOf(ClusterFailure.class);
    assertThatCode(beans::close).doesNotThrowAnyException();
    assertThat(connection.closed).isEqualTo(1);
  }
}
