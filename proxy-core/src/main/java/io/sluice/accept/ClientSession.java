package io.sluice.accept;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.time.Lane;
import io.sluice.wire.Compression;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.ProtocolVersion;
import io.sluice.wire.ReceiverBacklog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection, from its first frame to its last. Everything here runs on the connection's
 * lane. Reading stops while too much is unanswered or the client does not read its answers.
 */
final class ClientSession extends ChannelInboundHandlerAdapter implements Client {

  private static final Set<String> EVENT_TYPES =
      Set.of("TOPOLOGY_CHANGE", "STATUS_CHANGE", "SCHEMA_CHANGE");

  private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);

  private final long id;
  private final Channel channel;
  private final Lane lane;
  private final Framing framing;
  private final ListenConfig config;
  private final ClientHandler handler;

  private final Set<String> events = new TreeSet<>();
  private SessionState state = new SessionState.New();
  private Identity identity = Identity.ANONYMOUS;
  private @Nullable String keyspace;
  private int version = ProtocolVersion.MAX;
  private final Outbox outbox;
  private int unanswered;
  private boolean draining;

  ClientSession(
      long id,
      Channel channel,
      Lane lane,
      Framing framing,
      ListenConfig config,
      ClientHandler handler) {
    this.id = id;
    this.channel = channel;
    this.lane = lane;
    this.framing = framing;
    this.config = config;
    this.handler = handler;
    this.outbox = new Outbox(channel, ReceiverBacklog.of(channel), lane, config.maxUnreadBytes());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Frame frame) {
      read(frame);
    } else if (message instanceof ProtocolError broken) {
      refuse(broken);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  private void read(Frame frame) {
    PendingReply replyTo = new PendingReply(this, frame.stream());
    throttle(++unanswered);
    try {
      if (replyTo.stream() < 0) {
        throw ProtocolError.of(0, "Negative stream id " + frame.stream() + " in a request");
      }
      if (frame.version() != version) {
        changeVersion(frame.version());
      }
      dispatch(new ClientRequest(frame, this, replyTo), replyTo);
    } catch (ProtocolError e) {
      frame.release();
      replyTo.reply(CqlCodec.error(version, e));
    }
  }

  private void changeVersion(int asked) {
    if (!(state instanceof SessionState.New)) {
      throw ProtocolError.of(
          0, "Invalid message version. Got " + asked + " but previous messages had " + version);
    }
    version = asked;
  }

  /** Whoever takes a request takes its frame; who throws leaves it. */
  private void dispatch(ClientRequest request, PendingReply replyTo) {
    int opcode = request.frame().opcode();
    if (opcode == Opcode.OPTIONS) {
      request.frame().release();
      request.replyTo().reply(CqlCodec.supported(version, handler.supported()));
    } else if (state instanceof SessionState.Ready) {
      serve(request, opcode);
    } else if (opcode == Opcode.STARTUP && state instanceof SessionState.New) {
      startup(request, replyTo);
    } else if (opcode == Opcode.AUTH_RESPONSE
        && state instanceof SessionState.Handshaking handshaking
        && handshaking.asked() == null) {
      state = new SessionState.Handshaking(handshaking.handshake(), replyTo);
      handshaking.handshake().authResponse(request);
    } else {
      throw unexpected(
          opcode, state instanceof SessionState.New ? "STARTUP or OPTIONS" : "SASL_RESPONSE");
    }
  }

  private void serve(ClientRequest request, int opcode) {
    switch (opcode) {
      case Opcode.QUERY, Opcode.PREPARE, Opcode.EXECUTE, Opcode.BATCH -> handler.handle(request);
      case Opcode.REGISTER -> register(request);
      case Opcode.STARTUP ->
          throw ProtocolError.of(
              0, "Unexpected message STARTUP, the connection is already initialized");
      default -> throw unexpected(opcode, "a request");
    }
  }

  private static ProtocolError unexpected(int opcode, String expected) {
    String name = OpcodeNames.of(opcode);
    return ProtocolError.of(
        0,
        name.isEmpty()
            ? "Unknown opcode " + opcode
            : "Unexpected message " + name + ", expecting " + expected);
  }

  private void register(ClientRequest request) {
    List<String> types = CqlCodec.readRegister(request.frame());
    for (String type : types) {
      if (!EVENT_TYPES.contains(type.toUpperCase(Locale.ROOT))) {
        throw ProtocolError.of(0, "Invalid value '" + type + "' for Type");
      }
    }
    types.forEach(type -> events.add(type.toUpperCase(Locale.ROOT)));
    request.frame().release();
    handler.registered(this);
    request.replyTo().reply(CqlCodec.ready(version));
  }

  private void startup(ClientRequest request, PendingReply replyTo) {
    Map<String, String> options = new HashMap<>(CqlCodec.readStartup(request.frame()));
    if (!options.containsKey("CQL_VERSION")) {
      throw ProtocolError.of(0, "Missing value CQL_VERSION in STARTUP message");
    }
    String algorithm = options.remove("COMPRESSION");
    Compression agreed = Compression.named(algorithm, version);
    if (agreed == null) {
      throw ProtocolError.of(
          0, "Unknown or unsupported compression algorithm for v" + version + ": " + algorithm);
    }
    framing.compression(agreed);
    state = new SessionState.Handshaking(handler.startup(request, options), replyTo);
  }

  private void refuse(ProtocolError broken) {
    say(CqlCodec.error(version, broken));
    if (broken.fatal()) {
      LOG.debug("Closing {}: {}", channel, broken.getMessage());
      close();
    }
  }

  /** Called on the lane by {@link PendingReply}, once for each request. */
  void answer(Frame frame, PendingReply asked) {
    unanswered--;
    if (!channel.isActive()) {
      frame.release();
      return;
    }
    if (state instanceof SessionState.Handshaking handshaking && handshaking.asked() == asked) {
      state = after(frame.opcode(), handshaking.handshake());
    }
    outbox.add(frame.onStream(asked.stream()));
    throttle(unanswered);
    closeIfDrained();
  }

  private void closeIfDrained() {
    if (draining && unanswered == 0) {
      outbox.whenDrained(this::close);
    }
  }

  private static SessionState after(int opcode, ClientHandler.Handshake handshake) {
    if (opcode == Opcode.AUTHENTICATE || opcode == Opcode.AUTH_CHALLENGE) {
      return new SessionState.Handshaking(handshake, null);
    }
    handshake.end();
    return opcode == Opcode.ERROR ? new SessionState.New() : new SessionState.Ready();
  }

  private void throttle(int underWay) {
    boolean wanted = !outbox.isFull() && underWay < config.maxUnanswered();
    boolean reading = channel.config().isAutoRead();
    if (reading != wanted && (!wanted || underWay <= config.maxUnanswered() / 2)) {
      channel.config().setAutoRead(wanted);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    outbox.drain();
    throttle(unanswered);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    outbox.close();
    if (state instanceof SessionState.Handshaking handshaking) {
      handshaking.handshake().end();
    }
    handler.gone(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("Connection {} broke: {}", channel, cause.getMessage());
    } else {
      LOG.warn("Closing {} after an unexpected failure", channel, cause);
      say(CqlCodec.error(version, ErrorCode.SERVER_ERROR, "Sluice failed on this connection"));
    }
    channel.close();
  }

  /** Closes as soon as nothing is unanswered. Any thread. */
  void drain() {
    lane.run(
        () -> {
          draining = true;
          closeIfDrained();
        });
  }

  /** Closes without waiting for anything. Any thread. */
  void closeNow() {
    channel.close();
  }

  /** Lets what was written go out first. */
  private void close() {
    channel
        .writeAndFlush(io.netty.buffer.Unpooled.EMPTY_BUFFER)
        .addListener(done -> channel.close());
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public Lane lane() {
    return lane;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public InetSocketAddress connectedTo() {
    return (InetSocketAddress) channel.localAddress();
  }

  @Override
  public Identity identity() {
    return identity;
  }

  @Override
  public void authenticated(Identity proven) {
    this.identity = proven;
  }

  @Override
  public @Nullable String keyspace() {
    return keyspace;
  }

  @Override
  public void keyspace(String used) {
    this.keyspace = used;
  }

  @Override
  public Set<String> events() {
    return events;
  }

  @Override
  public void push(Frame event) {
    lane.run(() -> say(event));
  }

  /** Sends what nobody waits for. */
  private void say(Frame frame) {
    if (channel.isActive()) {
      channel.writeAndFlush(frame);
    } else {
      frame.release();
    }
  }

  @Override
  public boolean isCongested() {
    return outbox.isCongested();
  }

  @Override
  public boolean isFull() {
    return outbox.isFull();
  }

  @Override
  public void whenDrained(Runnable task) {
    outbox.whenDrained(task);
  }

  boolean isOpen() {
    return channel.isActive();
  }
}
