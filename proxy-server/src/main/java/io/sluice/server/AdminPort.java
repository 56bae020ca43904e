package io.sluice.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The HTTP port for operators and their machines. */
final class AdminPort implements AutoCloseable {

  private static final int MAX_THREADS = 8;
  private static final int MIN_THREADS = 2;

  private final Server server;
  private final ServerConnector connector;

  private AdminPort(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /**
   * Serves at once; {@code /readyz} says "starting" until told otherwise.
   *
   * @throws IOException when the port cannot be bound; the message names key and value
   */
  static AdminPort open(AdminSettings at, Readiness readiness, PrometheusMeterRegistry registry)
      throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("admin");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(at.host());
    connector.setPort(at.port());
    server.addConnector(connector);
    server.setHandler(new AdminPages(readiness, registry));
    AdminPort port = new AdminPort(server, connector);
    try {
      server.start();
      return port;
    } catch (Exception e) {
      port.close();
      throw new IOException(
          "cannot serve admin.host " + at.host() + ", admin.port " + at.port() + ": " + cause(e),
          e);
    }
  }

  private static String cause(Throwable thrown) {
    Throwable innermost = thrown;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage());
  }

  /** With the port that was really bound. */
  InetSocketAddress address() {
    return new InetSocketAddress(connector.getHost(), connector.getLocalPort());
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the admin port does not stop", e);
    }
  }
}
