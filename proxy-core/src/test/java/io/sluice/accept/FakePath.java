package io.sluice.accept;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A fake of the rest of the request path. Records its requests. */
final class FakePath implements ClientHandler {
  final List<ClientRequest> requests = new ArrayList<>();
  final List<String> log = new ArrayList<>();

  /** Thrown by the next call, which leaves the frame to its caller. */
  @Nullable Throwable fault;

  @Override
  public Map<String, List<String>> supported() {
    return Map.of("CQL_VERSION", List.of("3.4.7"));
  }

  @Override
  public Handshake startup(ClientRequest startup, Map<String, String> options) {
    fail();
    requests.add(startup);
    log.add("startup " + options);
    return new Handshake() {
      @Override
      public void authResponse(ClientRequest response) {
        fail();
        requests.add(response);
        log.add("auth");
      }

      @Override
      public void end() {
        log.add("end");
      }
    };
  }

  @Override
  public void handle(ClientRequest request) {
    fail();
    requests.add(request);
    log.add("request");
  }

  @Override
  public void registered(Client client) {
    fail();
    log.add("registered " + client.events());
  }

  @Override
  public void gone(Client client) {
    log.add("gone");
  }

  private void fail() {
    Throwable thrown = fault;
    fault = null;
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    } else if (thrown instanceof Error error) {
      throw error;
    }
  }

  ClientRequest last() {
    return requests.get(requests.size() - 1);
  }
}
