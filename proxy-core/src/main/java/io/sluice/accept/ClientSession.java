package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.tls.TlsConnection;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.ProtocolVersion;
import io.sluice.wire.ReceiverBacklog;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One client connection, from its first frame to its last. Everything here runs on the connection's
 * lane. Reading stops while too much is unanswered, while the client does not read its answers, and
 * while it holds more than its share of memory.
 */
final class ClientSession implements Client, MemoryAccount.Holder, PendingReply.Session {

  /** What has not logged in sends small frames, and reads what it is told. */
  private static final int LOGIN_BYTES = 64 * 1024;

  /** So many refused frames in a row, and the connection is closed. */
  private static final int MOST_REFUSED = 10;

  private final Peer peer;
  private final Channel channel;
  private final Lane lane;
  private final Framing framing;
  private final ListenConfig config;
  private final ClientHandler handler;
  private final FaultLog faults;
  private final DriverCounts drivers;
  private final Places.Place place;

  private final Set<String> events = new TreeSet<>();
  private final PointReads pointReads = PointReads.none();
  private final Login login;
  private final MemoryAccount memory;
  private final Outbox outbox;
  private final Intake intake;
  private final Farewell farewell;
  private final GracefulEnd gracefulEnd;
  private final Timer.Timeout handshake;
  private Identity identity = Identity.ANONYMOUS;
  private @Nullable DriverFamily family;
  private @Nullable Identity certified;
  private @Nullable String keyspace;
  private @Nullable Object note;
  private int version = ProtocolVersion.MAX;
  private int refused;
  private boolean leaving;
  private boolean draining;

  /**
   * Opens it.
   *
   * @param door what all connections of a listener share
   * @param place is given back when the connection ends
   */
  ClientSession(
      long id, Channel channel, Lane lane, Framing framing, Door door, Places.Place place) {
    this.peer = Peer.of(id, channel, door.clock().now());
    this.channel = channel;
    this.lane = lane;
    this.framing = framing;
    this.config = door.config();
    this.handler = door.handler();
    this.faults = door.faults();
    this.drivers = door.drivers();
    this.place = place;
    this.login = new Login(framing, handler);
    this.memory = door.memory().open(this);
    this.farewell = new Farewell(channel, lane, faults, this::stopReading);
    this.gracefulEnd = new GracefulEnd(lane, this::serveNoMore);
    this.outbox =
        new Outbox(
            channel,
            ReceiverBacklog.of(channel),
            lane,
            LOGIN_BYTES,
            memory,
            reason -> farewell.disconnect(Disconnect.UNREAD, reason));
    this.intake = new Intake(channel, lane, outbox, memory, config.maxUnanswered());
    framing.limitBeforeLogin(LOGIN_BYTES);
    this.handshake = lane.schedule(config.handshakeTimeout().toNanos(), this::handshakeTimedOut);
  }

  /** All that the last read gave has been handed over. */
  void readComplete() {
    memory.unfinished(framing.unfinishedBytes());
    intake.update();
  }

  /** Takes a frame over. */
  void read(Frame arrived) {
    if (farewell.isEnding()) {
      arrived.release();
      return;
    }
    Frame frame = intake.isDeep() ? arrived.compact() : arrived;
    PendingReply replyTo = new PendingReply(this, frame.stream(), frame.length());
    intake.asked(frame.length());
    try {
      check(frame);
      dispatch(new ClientRequest(frame, this, replyTo), replyTo);
    } catch (ProtocolError e) {
      frame.release();
      replyTo.reply(CqlCodec.error(version, e));
      countRefused(e);
    } catch (Throwable e) {
      frame.releaseUnlessGone();
      failed(e, replyTo);
    }
  }

  private void check(Frame frame) {
    if (frame.stream() < 0) {
      throw ProtocolError.of(0, "Negative stream id " + frame.stream() + " in a request");
    }
    int asked = frame.version();
    if (asked != version && !login.isNew()) {
      throw ProtocolError.of(
          0, "Invalid message version. Got " + asked + " but previous messages had " + version);
    }
    version = asked;
  }

  /** Takes the request's frame over, unless it throws. */
  private void dispatch(ClientRequest request, PendingReply replyTo) {
    int opcode = request.frame().opcode();
    if (opcode == Opcode.OPTIONS) {
      Frame answer = CqlCodec.supported(version, handler.supported());
      request.frame().release();
      replyTo.reply(answer);
    } else if (draining) {
      request.frame().release();
      replyTo.reply(
          CqlCodec.error(
              version, ErrorCode.IS_BOOTSTRAPPING, "Sluice is shutting down; ask another host"));
    } else if (login.isOver()) {
      gracefulEnd.asked();
      serve(request, opcode);
    } else {
      if (login.isNew() && !config.certificateRoles().isEmpty()) {
        certified = CertifiedRole.of(TlsConnection.certificate(channel), config.certificateRoles());
      }
      login.request(request, replyTo);
    }
  }

  private void serve(ClientRequest request, int opcode) {
    switch (opcode) {
      case Opcode.QUERY, Opcode.PREPARE, Opcode.EXECUTE, Opcode.BATCH -> {
        handler.handle(request);
        refused = 0;
      }
      case Opcode.REGISTER -> register(request);
      case Opcode.STARTUP ->
          throw ProtocolError.of(
              0, "Unexpected message STARTUP, the connection is already initialized");
      default -> throw OpcodeNames.unexpected(opcode, "a request");
    }
  }

  private void register(ClientRequest request) {
    events.addAll(EventTypes.of(request.frame()));
    handler.registered(this);
    request.frame().release();
    request.replyTo().reply(CqlCodec.ready(version));
  }

  /** What arrived is no frame. */
  void refuse(ProtocolError broken) {
    if (farewell.begun()) {
      return;
    }
    say(CqlCodec.error(version, broken));
    if (broken.fatal()) {
      farewell.leave(Disconnect.PROTOCOL, String.valueOf(broken.getMessage()));
    } else {
      countRefused(broken);
      intake.update();
    }
  }

  private void countRefused(ProtocolError error) {
    faults.refused(channel.remoteAddress(), "was refused: " + error.getMessage());
    if (error.code() == ErrorCode.PROTOCOL_ERROR && ++refused >= MOST_REFUSED) {
      farewell.leave(
          Disconnect.PROTOCOL,
          refused + " frames in a row were refused, the last: " + error.getMessage());
    }
  }

  private void failed(Throwable cause, PendingReply replyTo) {
    faults.failed(channel.remoteAddress(), cause);
    replyTo.reply(
        CqlCodec.error(
            version, ErrorCode.SERVER_ERROR, "Sluice failed to handle this request: " + cause));
  }

  @Override
  public void answer(Frame frame, PendingReply asked) {
    intake.answered(asked.length());
    if (farewell.isEnding()) {
      frame.release();
      return;
    }
    try {
      if (login.answered(frame.opcode(), asked)) {
        loggedIn();
      }
      outbox.add(frame.onStream(asked.stream()));
      intake.update();
      closeIfDrained();
    } catch (Throwable e) {
      broken(e);
    }
  }

  private void loggedIn() {
    handshake.cancel();
    place.loggedIn();
    DriverFamily told = DriverFamily.of(login.driver().name());
    family = told;
    drivers.opened(told);
    memory.loggedIn();
    framing.loggedIn();
    outbox.limit(config.maxUnreadBytes());
  }

  private void handshakeTimedOut() {
    if (login.isOver() || !channel.isActive() || TlsConnection.giveUp(channel)) {
      return;
    }
    long millis = config.handshakeTimeout().toMillis();
    String reason = "it did not log in within " + millis + " ms (cql.handshakeTimeout)";
    PendingReply asked = login.asked();
    if (asked != null) {
      asked.reply(CqlCodec.error(version, ErrorCode.SERVER_ERROR, "Closing: " + reason));
    }
    farewell.leave(Disconnect.HANDSHAKE, reason);
  }

  private void closeIfDrained() {
    if (draining && !intake.isBusy()) {
      outbox.whenDrained(farewell::begin);
    }
  }

  private void stopReading() {
    intake.end();
  }

  /** The channel takes bytes again, or takes no more. */
  void writabilityChanged() {
    outbox.drain();
    intake.update();
  }

  /** The connection is gone. */
  void gone() {
    if (family != null) {
      drivers.closed(family);
    }
    handshake.cancel();
    outbox.close();
    memory.close();
    login.end();
    handler.gone(this);
  }

  /** Something threw where no request is at fault, or the connection broke. */
  void broken(Throwable cause) {
    farewell.broken(cause);
  }

  @Override
  public void recount() {
    outbox.recount();
    memory.unfinished(framing.unfinishedBytes());
  }

  @Override
  public void evict(long bytes) {
    String reason = "it holds %d bytes, and memory is short (cql.maxMemoryPercent)";
    lane.execute(() -> farewell.disconnect(Disconnect.MEMORY, reason.formatted(bytes)));
  }

  /**
   * Serves nothing new, and closes as soon as nothing is unanswered. A client that has registered
   * for GRACEFUL_DISCONNECT is told first, and served until it is quiet. Any thread.
   */
  void drain() {
    lane.run(() -> drainOnLane(false));
  }

  /** The same, with every client served until it is quiet, or for some seconds. Any thread. */
  void drainGently() {
    lane.run(() -> drainOnLane(true));
  }

  @Override
  public void end() {
    drain();
  }

  private void drainOnLane(boolean gently) {
    if (farewell.isEnding() || draining) {
      return;
    }
    boolean told = events.contains(EventTypes.GRACEFUL_DISCONNECT);
    if (!told && !gently) {
      serveNoMore();
    } else if (!leaving) {
      leaving = true;
      if (told) {
        say(CqlCodec.gracefulDisconnect(version));
      }
      gracefulEnd.begin();
    }
  }

  private void serveNoMore() {
    draining = true;
    closeIfDrained();
  }

  /** The connection as it is now; null before its login, and when it is gone. On its lane. */
  @Nullable ClientFacts facts() {
    return login.isOver()
        ? new ClientFacts(
            peer.id(),
            peer.address(),
            identity.role(),
            login.driver(),
            version,
            login.compression().algorithm(),
            keyspace,
            intake.unanswered(),
            memory.held(),
            outbox.unread(),
            encryption(),
            peer.since())
        : null;
  }

  private ClientFacts.@Nullable Encryption encryption() {
    TlsConnection.Agreed tls = TlsConnection.agreed(channel);
    return tls == null ? null : new ClientFacts.Encryption(tls.version(), tls.cipher());
  }

  /** Closes without waiting for anything. Any thread. */
  void closeNow() {
    TlsConnection.closeAtOnce(channel);
  }

  @Override
  public long id() {
    return peer.id();
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
  public InetSocketAddress address() {
    return peer.address();
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
  public @Nullable Identity certified() {
    return certified;
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
  public ClientFacts.Driver driver() {
    return login.driver();
  }

  @Override
  public @Nullable Object note() {
    return note;
  }

  @Override
  public void note(Object next) {
    this.note = next;
  }

  @Override
  public Set<String> events() {
    return events;
  }

  @Override
  public void push(Frame event) {
    lane.run(() -> say(event), event::release);
  }

  /** Sends what answers no request. */
  private void say(Frame frame) {
    if (farewell.isEnding()) {
      frame.release();
    } else {
      outbox.add(frame);
    }
  }

  @Override
  public boolean isCongested() {
    return outbox.holdsBack();
  }

  @Override
  public void buffered(long bytes) {
    memory.buffered(bytes);
  }

  @Override
  public PointReads pointReads() {
    return pointReads;
  }

  @Override
  public @Nullable String rangeRefusal() {
    return memory.rangeRefusal();
  }

  @Override
  public boolean isFull() {
    return outbox.isFull();
  }

  @Override
  public void whenDrained(Runnable task) {
    outbox.whenDrained(task);
  }

  @Override
  public boolean isOpen() {
    return channel.isActive();
  }
}
