package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.tls.TlsConnection;
import io.sluice.wire.Compression;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of one client connection, from STARTUP to READY or AUTH_SUCCESS. Not safe for
 * several threads: one lane.
 */
final class Login {

  /** The most bytes of a STARTUP. Drivers send a few hundred. */
  private static final int MAX_STARTUP_BYTES = 4096;

  /** The most options of a STARTUP. The heap holds them until the login is over. */
  private static final int MAX_OPTIONS = 64;

  /**
   * The most failed logins of a connection. Each one costs a node a bcrypt, and the rate of new
   * connections limits them only if a connection cannot repeat them. No driver repeats any.
   */
  private static final int MAX_FAILED = 3;

  private static final String CQL_VERSION = "CQL_VERSION";
  private static final String COMPRESSION = "COMPRESSION";

  /**
   * An option by which tables with COMPACT STORAGE have other columns on one connection. Clients
   * share links, and the catalog has the usual columns.
   */
  private static final String NO_COMPACT = "NO_COMPACT";

  private final Channel channel;
  private final Framing framing;
  private final ClientHandler handler;
  private final List<CertifiedRole> certificateRoles;
  private SessionState state = new SessionState.New();
  private ClientFacts.Driver driver = ClientFacts.Driver.UNKNOWN;
  private Compression compression = Compression.NONE;
  private int failed;

  /**
   * Creates a login that has not begun.
   *
   * @param certificateRoles the roles that clients have by their certificate
   */
  Login(
      Channel channel,
      Framing framing,
      ClientHandler handler,
      List<CertifiedRole> certificateRoles) {
    this.channel = channel;
    this.framing = framing;
    this.handler = handler;
    this.certificateRoles = certificateRoles;
  }

  /** Whether no STARTUP is in progress or complete. */
  boolean isNew() {
    return state instanceof SessionState.New;
  }

  /** Whether the login is complete and requests are served. */
  boolean isOver() {
    return state instanceof SessionState.Ready;
  }

  /** Returns the client's request that waits for a node, or null. */
  @Nullable PendingReply asked() {
    return state instanceof SessionState.Handshaking handshaking ? handshaking.asked() : null;
  }

  /**
   * Handles a request before the login is complete. Takes ownership of its frame unless this
   * throws.
   */
  void request(ClientRequest request, PendingReply replyTo) {
    int opcode = request.frame().opcode();
    if (opcode == Opcode.STARTUP && isNew()) {
      startup(request, replyTo);
    } else if (opcode == Opcode.AUTH_RESPONSE
        && state instanceof SessionState.Handshaking handshaking
        && handshaking.asked() == null) {
      state = new SessionState.Handshaking(handshaking.handshake(), replyTo);
      handshaking.handshake().authResponse(request);
    } else {
      throw OpcodeNames.unexpected(opcode, isNew() ? "STARTUP or OPTIONS" : "SASL_RESPONSE");
    }
  }

  /** Handles STARTUP. As in Cassandra, names of options are case-insensitive. */
  private void startup(ClientRequest request, PendingReply replyTo) {
    Map<String, String> options = options(request.frame());
    if (!options.containsKey(CQL_VERSION)) {
      throw ProtocolError.of(0, "Missing value CQL_VERSION in STARTUP message");
    }
    if (Boolean.parseBoolean(options.get(NO_COMPACT))) {
      throw ProtocolError.of(
          0,
          "Sluice does not support NO_COMPACT in STARTUP; connect without it (withNoCompact,"
              + " no_compact), or to a node");
    }
    String algorithm = options.remove(COMPRESSION);
    int version = request.frame().version();
    Compression agreed = Compression.named(algorithm, version);
    if (agreed == null) {
      throw ProtocolError.of(
          0, "Unknown or unsupported compression algorithm for v" + version + ": " + algorithm);
    }
    framing.compression(agreed);
    compression = agreed;
    driver =
        new ClientFacts.Driver(
            options.get("DRIVER_NAME"),
            options.get("DRIVER_VERSION"),
            options.get("APPLICATION_NAME"));
    state = new SessionState.Handshaking(handler.startup(request, options), replyTo);
  }

  private static Map<String, String> options(Frame startup) {
    if (startup.bodyLength() > MAX_STARTUP_BYTES) {
      throw ProtocolError.of(
          0,
          "STARTUP of %d bytes is longer than %d"
              .formatted(startup.bodyLength(), MAX_STARTUP_BYTES));
    }
    Map<String, String> sent = CqlCodec.readStartup(startup);
    if (sent.size() > MAX_OPTIONS) {
      throw ProtocolError.of(
          0, "STARTUP has %d options, more than %d".formatted(sent.size(), MAX_OPTIONS));
    }
    Map<String, String> options = new HashMap<>();
    sent.forEach((name, value) -> options.put(name.toUpperCase(Locale.ROOT), value));
    return options;
  }

  /**
   * Updates the state before a request is answered.
   *
   * @return whether this response completes the login
   */
  boolean answered(int opcode, PendingReply asked) {
    if (!(state instanceof SessionState.Handshaking handshaking) || handshaking.asked() != asked) {
      return false;
    }
    if (opcode == Opcode.AUTHENTICATE || opcode == Opcode.AUTH_CHALLENGE) {
      state = new SessionState.Handshaking(handshaking.handshake(), null);
      return false;
    }
    handshaking.handshake().end();
    boolean error = opcode == Opcode.ERROR;
    failed += error ? 1 : 0;
    state = error ? new SessionState.New() : new SessionState.Ready();
    return isOver();
  }

  /** Whether so many logins failed that the connection has to be closed. */
  boolean hasFailed() {
    return failed >= MAX_FAILED;
  }

  /** Returns the names that the client's driver gave in its STARTUP. */
  ClientFacts.Driver driver() {
    return driver;
  }

  /**
   * Returns the identity that the client's certificate stands for; null when there is none.
   *
   * @throws ProtocolError when the certificate stands for no role, or has expired
   */
  @Nullable Identity certified() {
    return certificateRoles.isEmpty()
        ? null
        : CertifiedRole.of(TlsConnection.certificate(channel), certificateRoles);
  }

  /** Returns the negotiated compression. */
  Compression compression() {
    return compression;
  }

  /** Ends a running handshake when the client is disconnected. */
  void end() {
    if (state instanceof SessionState.Handshaking handshaking) {
      handshaking.handshake().end();
    }
  }
}
