package io.sluice.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import io.sluice.time.Repeated;
import io.sluice.time.SystemTime;
import io.sluice.time.WallClock;
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
 * The TLS of one side of the proxy. Holds the context for new connections, which is reloaded when
 * its files change, and counts handshakes. Safe for any thread.
 */
public final class Tls implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final TlsConfig config;
  private final WallClock clock;
  private final TlsCounts counts = new TlsCounts();
  private volatile @Nullable TlsContext context;

  /** The fingerprint of the files that were last loaded or refused; null to read them again. */
  private @Nullable ByteBuffer seen;

  /** The message about the files that were last refused; null when the last files could be used. */
  private @Nullable String problem;

  /** Whether the files of {@link #seen} could be used. */
  private boolean seenUsable;

  private @Nullable Repeated watch;

  private Tls(TlsConfig config, WallClock clock) {
    this.config = config;
    this.clock = clock;
  }

  /**
   * Reads the files of {@code config}, if TLS is on.
   *
   * @throws RefusedSettings when the files cannot be used; names the key
   */
  public static Tls load(TlsConfig config) {
    return load(config, new SystemTime());
  }

  /** Reads the files with another clock. */
  static Tls load(TlsConfig config, WallClock clock) {
    Tls tls = new Tls(config, clock);
    if (config.isOn()) {
      TlsFiles files = TlsFiles.read(config);
      tls.seen = files.fingerprint();
      tls.context = TlsContext.of(config, files);
      tls.seenUsable = true;
    }
    return tls;
  }

  /** Creates a side without TLS. */
  public static Tls off(TlsConfig.Side side) {
    return new Tls(TlsConfig.off(side), new SystemTime());
  }

  /** Whether all or some connections are encrypted. */
  public boolean isOn() {
    return config.isOn();
  }

  /** Returns the side of the proxy. */
  public TlsConfig.Side side() {
    return config.side();
  }

  /**
   * Starts checking the files periodically, until {@link #close}, and logs a certificate that is
   * not valid now. Called once. Does nothing when TLS is off.
   */
  public synchronized void follow() {
    if (isOn() && watch == null) {
      InvalidSetting fault = validityFault();
      if (fault != null) {
        LOG.warn("Peers that verify certificates refuse this side: {}; {}", fault, fault.advice());
      }
      watch = Repeated.begin(config.side().section(), LOOK_EVERY, LOOK_EVERY, this::refresh);
    }
  }

  /** Stops checking the files. Existing connections go on. */
  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
    }
  }

  /**
   * Checks the files, and reloads them if they have changed and can be used. New connections use
   * the new context then. Otherwise nothing changes. Certificates that are not valid now do not
   * replace valid ones: they are read again at the next check, because that changes with time. May
   * block, as it reads files.
   *
   * @return whether there is a new context
   */
  synchronized boolean refresh() {
    try {
      TlsFiles files = TlsFiles.read(config);
      ByteBuffer now = files.fingerprint();
      if (now.equals(seen)) {
        problem = seenUsable ? null : problem;
        return false;
      }
      seen = now;
      seenUsable = false;
      TlsContext next = TlsContext.of(config, files);
      InvalidSetting fault = next.validity().fault(clock.now());
      if (fault != null && validityFault() == null) {
        seen = null;
        throw RefusedSettings.of(fault);
      }
      context = next;
      seenUsable = true;
      problem = null;
      counts.reloads.increment();
      LOG.info(
          "{}: new certificates, valid until {}",
          config.side().section(),
          next.validity().notAfter());
      return true;
    } catch (RefusedSettings e) {
      refused(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Counts and logs unusable files, once for each message. */
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

  /** Returns when the certificate of this side expires; null where it has none. */
  public @Nullable Instant notAfter() {
    TlsContext current = context;
    return current == null ? null : current.validity().notAfter();
  }

  /**
   * Returns why peers that verify the certificate of this side refuse it now: it has expired, or is
   * not valid yet. Null when it is valid, or this side has none.
   */
  public @Nullable InvalidSetting validityFault() {
    TlsContext current = context;
    return current == null ? null : current.validity().fault(clock.now());
  }

  /** Returns the number of successful handshakes. */
  public long handshakes() {
    return counts.handshakes.sum();
  }

  /** Returns the number of handshakes that failed for this reason. */
  public long failures(TlsCause cause) {
    return counts.failures(cause);
  }

  /** Counts a successful handshake of an engine from {@link #serverEngine}. */
  public void handshakeSucceeded() {
    counts.handshakes.increment();
  }

  /** Counts a failed handshake of an engine from {@link #serverEngine}. */
  public void handshakeFailed(Throwable why) {
    counts.failed(TlsCause.of(why));
  }

  /** Returns how often changed files were reloaded, or were refused. */
  public long reloads(boolean usable) {
    return (usable ? counts.reloads : counts.refusedReloads).sum();
  }

  /**
   * Adds the TLS handlers to a client's pipeline. Called before any other handler is added. Does
   * nothing when TLS is off. The handshake has no timeout of its own: see {@link
   * TlsConnection#giveUp}.
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
   * Begins the handshake on an open connection to a node, on which nothing was sent.
   *
   * @param timeout the timeout of the handshake
   */
  public void connect(
      Channel channel, InetSocketAddress node, Duration timeout, TlsListener listener) {
    SslHandler handler = new SslHandler(engine(channel.alloc(), node));
    handler.setHandshakeTimeoutMillis(timeout.toMillis());
    channel.pipeline().addFirst("tls-outcome", new TlsOutcome(counts, listener, false));
    channel.pipeline().addFirst(TlsEntrance.NAME, handler);
  }

  /**
   * Creates an engine for a connection to {@code node}, which checks the certificate as configured.
   */
  public SSLEngine engine(ByteBufAllocator buffers, InetSocketAddress node) {
    return context().ssl().newEngine(buffers, host(node), node.getPort());
  }

  /** Creates an engine for an accepted connection. */
  public SSLEngine serverEngine(ByteBufAllocator buffers) {
    return context().ssl().newEngine(buffers);
  }

  /**
   * Returns a TLS socket over a socket that is connected to {@code node}, after the handshake.
   * Blocks as long as the socket's timeout allows.
   *
   * @throws HandshakeFailed when the handshake fails
   * @throws IOException when the connection is lost
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

  /**
   * Returns the name that the certificate must contain. Never a name from a reverse lookup, which
   * is not trustworthy.
   */
  private String host(InetSocketAddress node) {
    String name = config.hostCheck().serverName();
    if (name != null) {
      return name;
    }
    return node.getAddress() == null ? node.getHostString() : node.getAddress().getHostAddress();
  }

  /** Thrown when a TLS handshake fails. The message gives the reason in one line. */
  public static final class HandshakeFailed extends IOException {

    private static final long serialVersionUID = 1L;

    HandshakeFailed(TlsCause why, IOException cause) {
      super("TLS handshake: " + why.explained(cause), cause);
    }
  }
}
