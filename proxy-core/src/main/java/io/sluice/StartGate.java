package io.sluice;

import io.sluice.accept.Client;
import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request path, once there is one: until the cluster is connected, each client's STARTUP is
 * refused. Safe for any thread.
 */
final class StartGate implements ClientHandler {

  private volatile @Nullable RequestPath path;

  /** Lets clients in from now on. */
  void open(RequestPath ready) {
    path = ready;
  }

  @Override
  public Map<String, List<String>> supported() {
    RequestPath open = path;
    return open == null
        ? Map.of("COMPRESSION", RequestPath.COMPRESSION, "PROTOCOL_VERSIONS", RequestPath.VERSIONS)
        : open.supported();
  }

  @Override
  public Handshake startup(ClientRequest startup, Map<String, String> options) {
    RequestPath open = path;
    if (open != null) {
      return open.startup(startup, options);
    }
    startup.frame().release();
    Client client = startup.client();
    // Later: the session has to know of the handshake before it sees the answer.
    client
        .lane()
        .execute(
            () ->
                startup
                    .replyTo()
                    .reply(
                        CqlCodec.error(
                            client.version(),
                            ErrorCode.OVERLOADED,
                            "Sluice is not connected to the cluster yet; try another contact"
                                + " point, or again later")));
    return new Refused();
  }

  @Override
  public void handle(ClientRequest request) {
    opened().handle(request);
  }

  @Override
  public void registered(Client client) {
    opened().registered(client);
  }

  @Override
  public void gone(Client client) {
    RequestPath open = path;
    if (open != null) {
      open.gone(client);
    }
  }

  /** A session is ready only after a handshake that the path has led. */
  private RequestPath opened() {
    RequestPath open = path;
    if (open == null) {
      throw new IllegalStateException("a request before the cluster was connected");
    }
    return open;
  }

  private record Refused() implements Handshake {

    @Override
    public void authResponse(ClientRequest response) {
      throw new IllegalStateException("no client is asked for a proof here");
    }

    @Override
    public void end() {}
  }
}
