package io.sluice.host.jvm;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the MBeans of another JVM: to its port, or to a local connector, which the JVM
 * opens after an attach and keeps open. Safe for any thread.
 */
public final class JvmBeans implements AutoCloseable {
  /** The address of a local connector, which contains its stub: no name is looked up. */
  private static final Pattern LOCAL =
      Pattern.compile("service:jmx:rmi://[^/]*/stub/[A-Za-z0-9+/=]+");

  static {
    AnswerFilter.set();
  }

  private final JMXConnector connector;

  // The URL comes from the operator, or names no directory.
  @SuppressWarnings("BanJNDI")
  private JvmBeans(String url, Map<String, ?> environment) throws IOException {
    try {
      connector = JMXConnectorFactory.connect(new JMXServiceURL(url), environment);
    } catch (SecurityException e) {
      throw new JmxRefused("JMX refuses the login: " + e.getMessage(), e);
    }
  }

  /**
   * Connects to a port, {@code host:port}, without a login.
   *
   * @throws JmxRefused if it asks for one
   */
  public static JvmBeans atPort(String port) throws IOException {
    return new JvmBeans(url(port), Map.of());
  }

  /**
   * Connects to a port, {@code host:port}, with a login.
   *
   * @throws JmxRefused if the login is refused
   */
  public static JvmBeans atPort(String port, String user, String password) throws IOException {
    return new JvmBeans(url(port), Map.of(JMXConnector.CREDENTIALS, new String[] {user, password}));
  }

  private static String url(String port) {
    return "service:jmx:rmi:///jndi/rmi://" + port + "/jmxrmi";
  }

  /**
   * Attaches to a process, and connects to its local connector.
   *
   * @throws IOException if the process is no JVM, or not one yet; it gets no signal then
   * @throws JmxRefused if this Java runtime cannot attach
   */
  public static JvmBeans ofProcess(long pid) throws IOException {
    // An attach begins with SIGQUIT, which ends a process that does not handle it.
    if (!CaughtSignals.of(pid).contains(CaughtSignals.QUIT)) {
      throw new IOException("process " + pid + " is no JVM, or has only begun to start");
    }
    try {
      return atLocalConnector(pid, Attached.connector(pid));
    } catch (LinkageError e) {
      throw new JmxRefused("this Java runtime cannot attach to others", e);
    }
  }

  /**
   * Connects to the local connector of a process.
   *
   * @param url its address by that process, which may be of any user
   * @throws IOException if it is not that of a local connector
   */
  static JvmBeans atLocalConnector(long pid, @Nullable String url) throws IOException {
    if (url == null || !LOCAL.matcher(url).matches()) {
      throw new IOException("process " + pid + " does not name a local connector of JMX");
    }
    return new JvmBeans(url, Map.of());
  }

  /**
   * Attaches to JVMs. A separate class, because a Java runtime without {@code jdk.attach} must be
   * able to load the rest.
   */
  private static final class Attached {
    private Attached() {}

    /** Returns the URL of the local connector of a JVM, as the JVM names it. */
    static @Nullable String connector(long pid) throws IOException {
      try {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
          return machine.startLocalManagementAgent();
        } finally {
          machine.detach();
        }
      } catch (AttachNotSupportedException e) {
        throw new IOException("cannot attach to process " + pid + ": " + e.getMessage(), e);
      }
    }
  }

  /** Returns an attribute as text; empty if the bean does not exist, or not yet. */
  public Optional<String> attribute(String bean, String name) throws IOException {
    try {
      return Optional.of(
          String.valueOf(
              connector.getMBeanServerConnection().getAttribute(new ObjectName(bean), name)));
    } catch (JMException e) {
      return Optional.empty();
    }
  }

  /** Returns the bytes of the heap after the last collection of each of its memory pools. */
  public long heapAfterCollection() throws IOException {
    MBeanServerConnection server = connector.getMBeanServerConnection();
    long used = 0;
    try {
      for (ObjectName pool :
          server.queryNames(new ObjectName("java.lang:type=MemoryPool,*"), null)) {
        boolean heap = String.valueOf(server.getAttribute(pool, "Type")).equals("HEAP");
        if (heap && server.getAttribute(pool, "CollectionUsage") instanceof CompositeData usage) {
          used += ((Number) usage.get("used")).longValue();
        }
      }
      return used;
    } catch (JMException e) {
      throw new IOException("cannot read the heap use of the JVM", e);
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
