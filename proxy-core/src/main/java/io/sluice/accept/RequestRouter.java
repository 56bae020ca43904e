package io.sluice.accept;

import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;

/**
 * Routes each request of one connection by its opcode: to the login, to the rest of the request
 * path, or to a response of this room. Not safe for several threads: one lane.
 */
final class RequestRouter {

  private final ClientHandler path;
  private final Login login;
  private final GracefulEnd gracefulEnd;
  private final ConnectedClient client;
  private final RequestFaults faults;

  /**
   * Creates a router for a new connection.
   *
   * @param path the rest of the request path
   * @param faults learns which requests were served
   */
  RequestRouter(
      ClientHandler path,
      Login login,
      GracefulEnd gracefulEnd,
      ConnectedClient client,
      RequestFaults faults) {
    this.path = path;
    this.login = login;
    this.gracefulEnd = gracefulEnd;
    this.client = client;
    this.faults = faults;
  }

  /**
   * Routes a request. Takes ownership of its frame, unless this throws.
   *
   * @throws ProtocolError when the request is refused
   */
  void route(ClientRequest request, PendingReply replyTo) {
    checkHeader(request.frame());
    client.version(request.frame().version());
    int opcode = request.frame().opcode();
    if (opcode == Opcode.OPTIONS) {
      Frame answer = CqlCodec.supported(client.version(), path.supported());
      request.frame().release();
      replyTo.reply(answer);
    } else if (gracefulEnd.isOver()) {
      request.frame().release();
      replyTo.reply(
          CqlCodec.error(
              client.version(),
              ErrorCode.IS_BOOTSTRAPPING,
              "Sluice is shutting down; ask another host"));
    } else if (login.isOver()) {
      gracefulEnd.asked();
      serve(request, opcode);
    } else {
      login.request(request, replyTo);
    }
  }

  private void checkHeader(Frame frame) {
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
  }

  private void serve(ClientRequest request, int opcode) {
    switch (opcode) {
      case Opcode.QUERY, Opcode.PREPARE, Opcode.EXECUTE, Opcode.BATCH -> {
        path.handle(request);
        faults.served();
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
    path.registered(client);
    request.frame().release();
    request.replyTo().reply(CqlCodec.ready(client.version()));
  }

  /** Ends a running login, and the client's requests. Called when the connection is closed. */
  void end() {
    login.end();
    path.gone(client);
  }
}
