package io.sluice.accept;

import io.netty.channel.Channel;
import io.sluice.memory.MemoryAccount;
import io.sluice.time.Lane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.ProtocolError;
import org.jspecify.annotations.Nullable;

/**
 * A client connection, from its first frame to its last. All methods run on the connection's lane,
 * unless they say otherwise. The session stops reading while too many requests are unanswered,
 * while the client does not read its responses, and while it holds more than its share of memory.
 */
final class ClientSession
    implements ConnectedClient.Session, MemoryAccount.Holder, PendingReply.Session {

  /** Read buffers of no more bytes stay as long as one of their requests. */
  private static final int SPARED_BYTES = 16 * 1024;

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
  private final RequestFaults faults;
  private final RequestRouter router;

  /**
   * Opens the session of a new connection.
   *
   * @param context the objects that all connections of a listener share
   * @param loggedIn called after the login, once
   */
  ClientSession(
      ClientConnection connection,
      Lane lane,
      Framing framing,
      ListenerContext context,
      Runnable loggedIn) {
    Channel channel = connection.channel();
    ListenConfig config = context.config();
    this.driver = context.drivers().connection();
    this.login = new Login(channel, framing, context.handler(), config.certificateRoles());
    this.memory = context.memory().open(this);
    this.farewell = new Farewell(channel, lane, context.faults(), this::stopReading);
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
            memory,
            framing);
    this.intake = new Intake(channel, lane, framing, outbox, memory, config.maxUnanswered());
    this.client = new ConnectedClient(connection, lane, login, memory, outbox, this);
    this.faults = new RequestFaults(context.faults(), connection.address(), farewell);
    this.router = new RequestRouter(context.handler(), login, gracefulEnd, client, faults);
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
    // A part of a large segment would keep it while the request waits.
    Frame frame = arrived.compact(intake.isDeep() ? 0 : SPARED_BYTES);
    PendingReply replyTo = new PendingReply(this, frame.stream(), frame.length());
    intake.asked(frame.length());
    try {
      router.route(new ClientRequest(frame, client, replyTo), replyTo);
    } catch (ProtocolError e) {
      frame.release();
      replyTo.reply(CqlCodec.error(client.version(), e));
      faults.refused(e);
    } catch (Throwable e) {
      frame.releaseUnlessGone();
      faults.failed(e);
      replyTo.reply(error(ErrorCode.SERVER_ERROR, "Sluice failed to handle this request: " + e));
    }
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
      faults.refused(broken);
      intake.update();
    }
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
      if (login.hasFailed()) {
        farewell.leave(Disconnect.HANDSHAKE, "its logins failed again and again");
      }
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
    router.end();
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

  /** Returns a snapshot of the connection; null before its login. Called on the lane. */
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
