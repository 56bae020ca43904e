package io.sluice.host.jvm;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.sluice.host.jvm.JmxRefused.Subject;
import java.io.IOException;
import java.rmi.ConnectIOException;
import java.util.HashMap;
import java.util.List;
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
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the MBeans of another JVM: to its port, or to a local connector, which the JVM
 * opens after an attach and keeps open. Safe for any thread.
 */
public final class JvmBeans implements AutoCloseable {
  /** The address of a local connector, which contains its stub: no name is looked up. */
  private static final Pattern LOCAL =
      Pattern.compile("service:jmx:rmi://[^/]*/stub/[A-Za-z0-9+/=]+");

  /** The property of JNDI for the sockets to a registry. */
  private static final String REGISTRY_SOCKETS = "com.sun.jndi.rmi.factory.socket";

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
      throw new JmxRefused(Subject.LOGIN, "JMX refuses the login: " + e.getMessage(), e);
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** Returns a refusal if the port wants TLS, or the handshake fails; else the same exception. */
  private static IOException explained(IOException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ConnectIOException && each.getCause() == null) {
        return new JmxRefused(Subject.TLS, "the port has no JMX without TLS", failure);
      }
      // A handshake that breaks off is no answer: a forwarder does this while its node starts.
      if (each instanceof SSLException && !(each.getCause() instanceof IOException)) {
        return new JmxRefused(Subject.TLS, "no TLS with the port: " + each.getMessage(), failure);
      }
    }
    return failure;
  }

  /**
   * Connects to a port, {@code host:port}.
   *
   * @param login a user and its password; empty without a login
   * @param tls null without TLS
   * @throws JmxRefused if the port asks for a login or for TLS, or refuses them
   */
  public static JvmBeans atPort(String port, List<String> login, @Nullable PortTls tls)
      throws IOException {
    Map<String, Object> environment = new HashMap<>();
    if (!login.isEmpty()) {
      environment.put(JMXConnector.CREDENTIALS, login.toArray(String[]::new));
    }
    if (tls != null) {
      environment.put(REGISTRY_SOCKETS, tls.sockets());
    }
    return new JvmBeans("service:jmx:rmi:///jndi/rmi://" + port + "/jmxrmi", environment);
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
      throw new JmxRefused(Subject.ATTACH, "this Java runtime cannot attach to others", e);
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

  /**
   * Returns an attribute as text; empty if the bean does not exist, or not yet.
   *
   * @throws JmxRefused if the login may not read it
   */
  public Optional<String> attribute(String bean, String name) throws IOException {
    try {
      return Optional.of(
          String.valueOf(
              connector.getMBeanServerConnection().getAttribute(new ObjectName(bean), name)));
    } catch (JMException e) {
      return Optional.empty();
    } catch (SecurityException e) {
      throw new JmxRefused(
          Subject.LOGIN, "the login may not read " + name + ": " + e.getMessage(), e);
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
