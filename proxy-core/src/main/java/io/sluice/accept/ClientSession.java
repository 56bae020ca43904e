package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import org.jspecify.annotations.Nullable;

/**
 * A client connection, from its first frame to its last. All methods run on the connection's lane,
 * unless they say otherwise. The session stops reading while too many requests are unanswered,
 * while the client does not read its responses, and while it holds more than its share of memory.
 */
final class ClientSession
    implements ConnectedClient.Session, MemoryAccount.Holder, PendingReply.Session {

  /** The connection is closed after this many refused frames in a row. */
  private static final int MOST_REFUSED = 10;

  private final ClientHandler handler;
  private final FaultLog faults;
  private final DriverCounts.Connection driver;
  private final Login login;
  private final LoginLimits limits;
  private final MemoryAccount memory;
  private final UnreadLimit unreadLimit;
  private final Outbox outbox;
  private final Intake intake;
  private final Farewell farewell;
  private final GracefulEnd gracefulEnd;
  private final ConnectedClient client;
  private int refused;

  /**
   * Opens the session of a new connection.
   *
   * @param door the objects that all connections of a listener share
   * @param loggedIn called after the login, once
   */
  ClientSession(
      ClientConnection connection, Lane lane, Framing framing, Door door, Runnable loggedIn) {
    Channel channel = connection.channel();
    ListenConfig config = door.config();
    this.handler = door.handler();
    this.faults = door.faults();
    this.driver = door.drivers().connection();
    this.login = new Login(channel, framing, handler, config.certificateRoles());
    this.memory = door.memory().open(this);
    this.farewell = new Farewell(channel, lane, faults, this::stopReading);
    this.gracefulEnd = new GracefulEnd(lane, this::closeIfOver);
    this.unreadLimit =
        new UnreadLimit(
            lane,
            LoginLimits.BYTES,
            config.maxUnreadBytes(),
            reason -> farewell.disconnect(Disconnect.UNREAD, reason));
    this.outbox =
        new Outbox(
            channel,
            new BacklogWatch(ReceiverBacklog.of(channel), lane),
            lane,
            unreadLimit,
            memory);
    this.intake = new Intake(channel, lane, framing, outbox, memory, config.maxUnanswered());
    this.client = new ConnectedClient(connection, lane, login, memory, outbox, this);
    this.limits =
        new LoginLimits(
            channel, lane, framing, loggedIn, config.handshakeTimeout(), this::loginTimedOut);
  }

  /** Handles the end of a read, after all its frames were passed to {@link #read}. */
  void readComplete() {
    intake.readComplete();
  }

  /** Handles a frame and takes ownership of it. */
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
      dispatch(new ClientRequest(frame, client, replyTo), replyTo);
    } catch (ProtocolError e) {
      frame.release();
      replyTo.reply(CqlCodec.error(client.version(), e));
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
    if (asked != client.version() && !login.isNew()) {
      throw ProtocolError.of(
          0,
          "Invalid message version. Got "
              + asked
              + " but previous messages had "
              + client.version());
    }
    client.version(asked);
  }

  /** Takes ownership of the request's frame, unless this throws. */
  private void dispatch(ClientRequest request, PendingReply replyTo) {
    int opcode = request.frame().opcode();
    if (opcode == Opcode.OPTIONS) {
      Frame answer = CqlCodec.supported(client.version(), handler.supported());
      request.frame().release();
      replyTo.reply(answer);
    } else if (gracefulEnd.isOver()) {
      request.frame().release();
      replyTo.reply(error(ErrorCode.IS_BOOTSTRAPPING, "Sluice is shutting down; ask another host"));
    } else if (login.isOver()) {
      gracefulEnd.asked();
      serve(request, opcode);
    } else {
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
    client.addEvents(EventTypes.of(request.frame()));
    handler.registered(client);
    request.frame().release();
    request.replyTo().reply(CqlCodec.ready(client.version()));
  }

  /** Answers bytes that are no valid frame with an error. */
  void refuse(ProtocolError broken) {
    if (farewell.begun()) {
      return;
    }
    say(CqlCodec.error(client.version(), broken));
    if (broken.fatal()) {
      farewell.leave(Disconnect.PROTOCOL, String.valueOf(broken.getMessage()));
    } else {
      countRefused(broken);
      intake.update();
    }
  }

  private void countRefused(ProtocolError error) {
    faults.refused(client.address(), "was refused: " + error.getMessage());
    if (error.code() == ErrorCode.PROTOCOL_ERROR && ++refused >= MOST_REFUSED) {
      farewell.leave(
          Disconnect.PROTOCOL,
          refused + " frames in a row were refused, the last: " + error.getMessage());
    }
  }

  private void failed(Throwable cause, PendingReply replyTo) {
    faults.failed(client.address(), cause);
    replyTo.reply(error(ErrorCode.SERVER_ERROR, "Sluice failed to handle this request: " + cause));
  }

  private Frame error(int code, String message) {
    return CqlCodec.error(client.version(), code, message);
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
      closeIfOver();
    } catch (Throwable e) {
      broken(e);
    }
  }

  private void loggedIn() {
    limits.lift();
    memory.loggedIn();
    unreadLimit.loggedIn();
    driver.loggedIn(login.driver().name());
  }

  private void loginTimedOut(String reason) {
    PendingReply asked = login.asked();
    if (asked != null) {
      asked.reply(error(ErrorCode.SERVER_ERROR, "Closing: " + reason));
    }
    farewell.leave(Disconnect.HANDSHAKE, reason);
  }

  private void closeIfOver() {
    if (gracefulEnd.isOver() && !intake.isBusy()) {
      outbox.whenDrained(farewell::begin);
    }
  }

  private void stopReading() {
    intake.end();
  }

  /** Handles a change of the channel's writability. */
  void writabilityChanged() {
    outbox.drain();
    intake.update();
  }

  /** Releases everything when the connection is closed. */
  void gone() {
    driver.end();
    limits.end();
    outbox.close();
    memory.close();
    login.end();
    handler.gone(client);
  }

  /** Closes the connection after a failure that no request has caused. */
  void broken(Throwable cause) {
    farewell.broken(cause);
  }

  @Override
  public void recount() {
    intake.recount();
  }

  @Override
  public void evict(long bytes) {
    String reason = "it holds %d bytes, and memory is short (cql.maxMemoryPercent)";
    lane().execute(() -> farewell.disconnect(Disconnect.MEMORY, reason.formatted(bytes)));
  }

  /**
   * Serves no new requests, and closes as soon as none is unanswered. A client that has registered
   * for GRACEFUL_DISCONNECT is told first and served until it is quiet. May be called from any
   * thread.
   */
  @Override
  public void drain() {
    lane().run(() -> drainOnLane(false));
  }

  /**
   * Drains like {@link #drain}, but serves every client until it is quiet, or for some seconds. May
   * be called from any thread.
   */
  void drainGently() {
    lane().run(() -> drainOnLane(true));
  }

  private void drainOnLane(boolean gently) {
    if (farewell.isEnding()) {
      return;
    }
    boolean told = client.events().contains(EventTypes.GRACEFUL_DISCONNECT);
    if (!told && !gently) {
      gracefulEnd.atOnce();
    } else if (gracefulEnd.begin() && told) {
      say(CqlCodec.gracefulDisconnect(client.version()));
    }
  }

  /**
   * Returns a snapshot of the connection; null before its login and after its end. Called on the
   * lane.
   */
  @Nullable ClientFacts facts() {
    return login.isOver() ? client.facts(intake.unanswered()) : null;
  }

  /** Closes the connection at once. May be called from any thread. */
  void closeNow() {
    farewell.now();
  }

  @Override
  public Lane lane() {
    return client.lane();
  }

  @Override
  public boolean isOpen() {
    return !farewell.isClosed();
  }

  @Override
  public void say(Frame frame) {
    if (farewell.isEnding()) {
      frame.release();
    } else {
      outbox.add(frame);
    }
  }
}
