package io.sluice.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.sluice.setting.RefusedSettings;
import io.sluice.time.Repeated;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS on one side of the proxy: the context for new connections, which follows its files, and the
 * counts of handshakes. Safe for any thread.
 */
public final class Tls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final TlsConfig config;
  private final TlsCounts counts = new TlsCounts();
  private volatile @Nullable TlsContext context;

  /** The fingerprint of the files that were loaded or refused last. */
  private @Nullable ByteBuffer seen;

  /** The message about the files that were refused last; null when they could be used. */
  private @Nullable String problem;

  private @Nullable Repeated watch;

  private Tls(TlsConfig config) {
    this.config = config;
  }

  /**
   * Reads the files of {@code config}, if it is on.
   *
   * @throws RefusedSettings when they cannot be used; it names the key
   */
  public static Tls load(TlsConfig config) {
    Tls tls = new Tls(config);
    if (config.isOn()) {
      TlsFiles files = TlsFiles.read(config);
      tls.seen = files.fingerprint();
      tls.context = TlsContext.of(config, files);
    }
    return tls;
  }

  /** One that encrypts nothing. */
  public static Tls off(TlsConfig.Side side) {
    return new Tls(TlsConfig.off(side));
  }

  /** Whether connections are encrypted, all or some. */
  public boolean isOn() {
    return config.isOn();
  }

  /** Which side it is. */
  public TlsConfig.Side side() {
    return config.side();
  }

  /** Looks at the files again and again until it is closed; once. Does nothing when TLS is off. */
  public synchronized void follow() {
    if (isOn() && watch == null) {
      watch = Repeated.begin(config.side().section(), LOOK_EVERY, LOOK_EVERY, this::refresh);
    }
  }

  /** Does not look at the files any more; connections go on. */
  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
    }
  }

  /**
   * Looks at the files. When they have changed and can be used, new connections are made with what
   * they hold now; otherwise all stays as it is. Reads files, and so may block.
   *
   * @return whether there is a new context
   */
  synchronized boolean refresh() {
    try {
      TlsFiles files = TlsFiles.read(config);
      ByteBuffer now = files.fingerprint();
      if (now.equals(seen)) {
        return false;
      }
      seen = now;
      TlsContext next = TlsContext.of(config, files);
      context = next;
      problem = null;
      counts.reloads.increment();
      LOG.info("{}: new certificates, valid until {}", config.side().section(), next.notAfter());
      return true;
    } catch (RefusedSettings e) {
      refused(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Each set of files that cannot be used is told of once. */
  private void refused(String message) {
    if (!message.equals(problem)) {
      problem = message;
      counts.refusedReloads.increment();
      LOG.warn("The certificates that were loaded before stay in use: {}", message);
    }
  }

  private TlsContext context() {
    return Objects.requireNonNull(context, "TLS is off");
  }

  /** When the certificate of this side expires; null where it has none. */
  public @Nullable Instant notAfter() {
    TlsContext current = context;
    return current == null ? null : current.notAfter();
  }

  /** Handshakes that succeeded. */
  public long handshakes() {
    return counts.handshakes.sum();
  }

  /** Handshakes that failed for this reason. */
  public long failures(TlsCause cause) {
    return counts.failures(cause);
  }

  /** Counts a handshake that was made with {@link #serverEngine}. */
  public void handshakeSucceeded() {
    counts.handshakes.increment();
  }

  /** Counts a handshake that was made with {@link #serverEngine}. */
  public void handshakeFailed(Throwable why) {
    counts.failed(TlsCause.of(why));
  }

  /** How often files were loaded anew, or could not be. */
  public long reloads(boolean usable) {
    return (usable ? counts.reloads : counts.refusedReloads).sum();
  }

  /**
   * Adds what a client's connection needs, before all other handlers; nothing when TLS is off.
   * There is no deadline in it: see {@link TlsConnection#giveUp}.
   */
  public void accept(ChannelPipeline pipeline, TlsListener listener) {
    if (isOn()) {
      TlsOutcome outcome = new TlsOutcome(counts, listener, true);
      pipeline.addLast(
          TlsEntrance.NAME, new TlsEntrance(this::serverHandler, takesPlain(), outcome));
      pipeline.addLast("tls-outcome", outcome);
    }
  }

  private SslHandler serverHandler(ByteBufAllocator buffers) {
    SslHandler handler = context().ssl().newHandler(buffers);
    handler.setHandshakeTimeoutMillis(0);
    return handler;
  }

  private boolean takesPlain() {
    return config.mode() == TlsConfig.Mode.OPTIONAL;
  }

  /**
   * Begins the handshake on a connection to a node that is open and has said nothing yet.
   *
   * @param timeout for the handshake
   */
  public void connect(
      Channel channel, InetSocketAddress node, Duration timeout, TlsListener listener) {
    SslHandler handler = new SslHandler(engine(channel.alloc(), node));
    handler.setHandshakeTimeoutMillis(timeout.toMillis());
    channel.pipeline().addFirst("tls-outcome", new TlsOutcome(counts, listener, false));
    channel.pipeline().addFirst(TlsEntrance.NAME, handler);
  }

  /** An engine for a connection to {@code node}, which checks the certificate as configured. */
  public SSLEngine engine(ByteBufAllocator buffers, InetSocketAddress node) {
    return context().ssl().newEngine(buffers, host(node), node.getPort());
  }

  /** An engine for a connection that was accepted. */
  public SSLEngine serverEngine(ByteBufAllocator buffers) {
    return context().ssl().newEngine(buffers);
  }

  /**
   * TLS over a socket that is connected to {@code node}; the handshake is done. Blocks as long as
   * the socket's timeout allows.
   *
   * @throws HandshakeFailed when the handshake fails
   * @throws IOException when there is no connection any more
   */
  public Socket over(Socket connected, InetSocketAddress node) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context()
                .ssl()
                .context()
                .getSocketFactory()
                .createSocket(connected, host(node), node.getPort(), true);
    socket.setSSLParameters(engine(ByteBufAllocator.DEFAULT, node).getSSLParameters());
    try {
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      TlsCause cause = TlsCause.of(e);
      counts.failed(cause);
      throw new HandshakeFailed(cause, e);
    }
  }

  /** The name that the certificate must bear: reverse lookups are not to be trusted. */
  private String host(InetSocketAddress node) {
    String name = config.hostCheck().serverName();
    if (name != null) {
      return name;
    }
    return node.getAddress() == null ? node.getHostString() : node.getAddress().getHostAddress();
  }
}
