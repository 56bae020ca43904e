package io.sluice.server.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.meter.TlsMeters;
import io.sluice.server.live.LivePage;
import io.sluice.server.settings.AdminSettings;
import io.sluice.setting.RefusedSettings;
import io.sluice.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.function.Supplier;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The HTTP port for operators and monitoring. */
public final class AdminPort implements AutoCloseable {

  /** Further connections wait to be accepted, so that they leave descriptors to the CQL port. */
  static final int MAX_CONNECTIONS = 256;

  private static final int MAX_THREADS = 8;
  private static final int MIN_THREADS = 2;

  private final Server server;
  private final ServerConnector connector;
  private final Tls tls;

  private AdminPort(Server server, ServerConnector connector, Tls tls) {
    this.server = server;
    this.connector = connector;
    this.tls = tls;
  }

  /**
   * Opens the port and serves at once.
   *
   * @param notReady returns the reason why the process is not ready; null when it is ready
   * @throws IOException when the port cannot be bound, or its certificate cannot be used; the
   *     message names key and value
   */
  public static AdminPort open(
      AdminSettings at,
      Supplier<@Nullable String> notReady,
      PrometheusMeterRegistry registry,
      LivePage live)
      throws IOException {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("admin");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    Tls tls = certificates(at);
    ServerConnector connector = connector(server, new HttpConnectionFactory(http), tls);
    connector.setHost(at.host());
    connector.setPort(at.port());
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, connector));
    server.setHandler(new AdminPages(new AdminGate(at.token()), notReady, registry, live));
    AdminPort port = new AdminPort(server, connector, tls);
    try {
      server.start();
      TlsMeters.register(registry, tls);
      tls.follow();
      return port;
    } catch (Exception e) {
      port.close();
      throw new IOException(
          "cannot serve admin.host " + at.host() + ", admin.port " + at.port() + ": " + cause(e),
          e);
    }
  }

  private static Tls certificates(AdminSettings at) throws IOException {
    try {
      return Tls.load(at.tlsConfig());
    } catch (RefusedSettings e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static ServerConnector connector(Server server, HttpConnectionFactory http, Tls tls)
      throws IOException {
    if (!tls.isOn()) {
      return new ServerConnector(server, 1, 1, http);
    }
    try {
      SslConnectionFactory ssl = new SslConnectionFactory(new AdminTls(tls), http.getProtocol());
      return new ServerConnector(server, 1, 1, ssl, http);
    } catch (GeneralSecurityException e) {
      throw new IOException("admin.tls: " + e.getMessage(), e);
    }
  }

  private static String cause(Throwable thrown) {
    Throwable innermost = thrown;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage());
  }

  /** Returns the address with the port that was actually bound. */
  public InetSocketAddress address() {
    return new InetSocketAddress(connector.getHost(), connector.getLocalPort());
  }

  @Override
  public void close() {
    tls.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the admin port cannot be stopped", e);
    }
  }
}
