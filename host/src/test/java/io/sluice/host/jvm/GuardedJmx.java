package io.sluice.host.jvm;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.Map;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.net.ServerSocketFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/** A JMX port of this JVM that asks for a login. */
public final class GuardedJmx implements AutoCloseable {
  private final Registry registry;
  private final RMIConnectorServer connector;
  private int port;

  /** Opens a port for a user with that password. */
  public GuardedJmx(String user, String password) throws Exception {
    this(user, password, null, ServerSocketFactory.getDefault(), Map.of());
  }

  /**
   * Opens a port whose user may read nothing.
   *
   * @param file an empty file: the list of permissions
   */
  public static GuardedJmx withoutPermissions(Path file, String user, String password)
      throws Exception {
    return new GuardedJmx(
        user,
        password,
        null,
        ServerSocketFactory.getDefault(),
        Map.of("jmx.remote.x.access.file", file.toString()));
  }

  /** Opens a port with TLS, its registry included, as Cassandra does. */
  public static GuardedJmx withTls(TestKey key, String user, String password) throws Exception {
    return new GuardedJmx(
        user,
        password,
        new SslRMIClientSocketFactory(),
        key.server().getServerSocketFactory(),
        Map.of());
  }

  private GuardedJmx(
      String user,
      String password,
      @Nullable RMIClientSocketFactory clients,
      ServerSocketFactory servers,
      Map<String, String> permissions)
      throws Exception {
    RMIServerSocketFactory sockets =
        any -> {
          ServerSocket socket = servers.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
          port = socket.getLocalPort();
          return socket;
        };
    registry = LocateRegistry.createRegistry(0, clients, sockets);
    JMXAuthenticator guard =
        given -> {
          if (given instanceof String[] login
              && Arrays.equals(login, new String[] {user, password})) {
            return new Subject();
          }
          throw new SecurityException("Authentication failed!");
        };
    RMIJRMPServerImpl server =
        new RMIJRMPServerImpl(
            0,
            clients,
            servers::createServerSocket,
            Map.of(JMXConnectorServer.AUTHENTICATOR, guard));
    connector =
        new RMIConnectorServer(
            new JMXServiceURL("service:jmx:rmi://"),
            permissions,
            server,
            ManagementFactory.getPlatformMBeanServer());
    connector.start();
    registry.bind("jmxrmi", server.toStub());
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    connector.stop();
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
