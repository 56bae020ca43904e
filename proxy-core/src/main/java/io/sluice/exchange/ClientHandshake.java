package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.link.Link;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.link.LinkFailure;
import io.sluice.link.LinkPool;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.ProtocolError;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a client, conducted by a real node over a dedicated connection. A client that
 * the cluster would refuse is refused here. Only credentials that can be replayed are accepted,
 * because the client's requests travel over other connections of the same identity. When a node is
 * lost or cannot decide now, the handshake goes on at the next node with the same credentials. Runs
 * on the client's lane.
 */
final class ClientHandshake implements ClientHandler.Handshake, LinkWaiter {

  private final ProxyContext context;
  private final LinkPool links;
  private final Client client;
  private final Map<String, String> options;
  private final Iterator<NodeId> nodes;

  /** The identity in the client's certificate; the client then sends no credentials. */
  private @Nullable Identity certified;

  private ClientRequest pending;
  private @Nullable Link link;
  private @Nullable Identity claimed;
  private @Nullable LinkFailure lastFailure;
  private Timer.@Nullable Timeout answerTimeout;
  private boolean over;

  private ClientHandshake(
      ProxyContext context,
      LinkPool links,
      ClientRequest startup,
      Map<String, String> options,
      List<NodeId> nodes) {
    this.context = context;
    this.links = links;
    this.client = startup.client();
    this.options = Map.copyOf(options);
    this.pending = startup;
    this.nodes = nodes.iterator();
  }

  /** Starts a handshake. Takes over the frame of {@code startup}. */
  static ClientHandshake start(
      ProxyContext context,
      LinkPool links,
      ClientRequest startup,
      Map<String, String> options,
      List<NodeId> nodes) {
    ClientHandshake handshake = new ClientHandshake(context, links, startup, options, nodes);
    startup.client().lane().execute(handshake::begin);
    startup.frame().release();
    return handshake;
  }

  private void begin() {
    try {
      certified = client.certified();
    } catch (ProtocolError e) {
      context.meters().handshakeRefused(e.code(), false);
      refuse(e.code(), String.valueOf(e.getMessage()));
      return;
    }
    claimed = certified;
    tryNextNode("no node is known");
  }

  /** Opens a connection to the next node. */
  private void tryNextNode(String reason) {
    if (over) {
      return;
    }
    Node node = null;
    while (node == null && nodes.hasNext()) {
      node = context.view().ring().node(nodes.next());
    }
    if (node == null) {
      noNodeLeft(reason);
    } else {
      links.open(client.lane(), node, client.version(), this);
    }
  }

  private void noNodeLeft(String reason) {
    LinkFailure failure = lastFailure;
    if (failure == null) {
      refuse(ErrorCode.SERVER_ERROR, "Sluice could not reach a node: " + reason);
    } else {
      context.meters().handshakeRefused(failure.errorCode(), true);
      refuse(failure.errorCode(), failure.message());
    }
  }

  @Override
  public void ready(Link opened) {
    link = opened;
    if (over) {
      opened.close("the client is gone");
    } else {
      relay(CqlCodec.startup(client.version(), options));
    }
  }

  @Override
  public void failed(LinkFailure failure) {
    tryNextNode(failure.message());
  }

  private void relay(Frame frame) {
    Link to = link;
    if (to == null) {
      frame.release();
      lost("the node was lost");
    } else {
      answerTimeout =
          client.lane().schedule(answerTimeoutNanos(), () -> to.close("the node did not answer"));
      if (to.send(frame, new Relay()) < 0) {
        lost("the node closed the connection");
      }
    }
  }

  private long answerTimeoutNanos() {
    return context.config().connectTimeoutNanos();
  }

  private void lost(String reason) {
    stopWaiting();
    link = null;
    tryNextNode(reason);
  }

  /**
   * Closes the connection to a node that answers but cannot accept any client, and tries the next.
   */
  private void leaveNode(String reason) {
    Link left = link;
    lost(reason);
    if (left != null) {
      left.close(reason);
    }
  }

  private void stopWaiting() {
    if (answerTimeout != null) {
      answerTimeout.cancel();
      answerTimeout = null;
    }
  }

  @Override
  public void authResponse(ClientRequest response) {
    pending = response;
    ByteBuffer token = CqlCodec.readAuthResponse(response.frame());
    claimed = token == null ? null : Identity.ofSaslToken(token);
    if (claimed == null) {
      response.frame().release();
      refuse(
          ErrorCode.BAD_CREDENTIALS,
          "Sluice needs a SASL PLAIN token (user name and password), which it can replay; what"
              + " this client's authenticator sends cannot be replayed");
    } else {
      relay(response.frame());
    }
  }

  private void onAnswer(Frame answer) {
    switch (answer.opcode()) {
      case Opcode.AUTHENTICATE -> authenticate(answer);
      case Opcode.AUTH_SUCCESS -> {
        if (claimed != null) {
          client.authenticated(claimed);
        }
        finish(certified == null ? answer : ready(answer));
      }
      case Opcode.READY -> {
        if (certified != null) {
          client.authenticated(certified);
        }
        finish(answer);
      }
      case Opcode.AUTH_CHALLENGE -> {
        answer.release();
        refuse(
            ErrorCode.BAD_CREDENTIALS,
            "The cluster's authenticator asks for more than one answer: Sluice can replay SASL"
                + " PLAIN only");
      }
      case Opcode.ERROR -> error(answer);
      default -> reply(answer);
    }
  }

  /** Returns READY for a client that sends no credentials. Releases the node's answer. */
  private Frame ready(Frame answer) {
    answer.release();
    return CqlCodec.ready(client.version());
  }

  /**
   * Finishes the handshake of a client that the cluster accepts, unless a rule refuses the client.
   */
  private void finish(Frame answer) {
    String refusal = new ClientRules(context).connect(client);
    if (refusal == null) {
      context.audit().loggedIn(client);
      reply(answer);
    } else {
      answer.release();
      refuse(ErrorCode.OVERLOADED, refusal);
    }
  }

  /** Asks the client for its credentials once. A later node gets the same credentials. */
  private void authenticate(Frame answer) {
    Identity proof = claimed;
    String refused = link == null ? null : link.loginRefused(answer);
    if (refused != null) {
      answer.release();
      refuse(ErrorCode.BAD_CREDENTIALS, refused);
    } else if (proof == null) {
      reply(answer);
    } else {
      answer.release();
      relay(CqlCodec.authResponse(client.version(), proof));
    }
  }

  private void error(Frame answer) {
    LinkFailure failure = new LinkFailure(Answers.errorCode(answer), Answers.errorMessage(answer));
    if (failure.refused() && certified != null) {
      answer.release();
      context.meters().handshakeRefused(failure.errorCode(), true);
      refuse(failure.errorCode(), refusedByNode(certified, failure));
    } else if (failure.refused()) {
      context.meters().handshakeRefused(failure.errorCode(), true);
      auditFailure(failure.errorCode(), failure.message());
      reply(answer);
    } else {
      answer.release();
      lastFailure = failure;
      leaveNode(failure.message());
    }
  }

  private static String refusedByNode(Identity role, LinkFailure failure) {
    return "A node refused the role "
        + role.role()
        + ", which the certificate of this client stands for (cql.certificateRoles): "
        + failure.message();
  }

  private void reply(Frame frame) {
    pending.replyTo().reply(frame);
  }

  private void refuse(int code, String message) {
    if (!over) {
      auditFailure(code, message);
      reply(CqlCodec.error(client.version(), code, message));
    }
  }

  private void auditFailure(int code, String message) {
    String role = claimed == null ? null : claimed.role();
    context.audit().loginFailed(client, role, code, message);
  }

  @Override
  public void end() {
    over = true;
    stopWaiting();
    if (link != null) {
      link.close("the handshake is over");
    }
  }

  /** Receives one answer of the node. */
  private final class Relay implements AnswerHandler {

    @Override
    public void answered(Frame answer) {
      stopWaiting();
      if (over) {
        answer.release();
        return;
      }
      try {
        onAnswer(answer);
      } catch (RuntimeException e) {
        answer.releaseUnlessGone();
        leaveNode("the node's answer cannot be read: " + e.getMessage());
      }
    }

    @Override
    public void lost(String reason) {
      if (!over) {
        ClientHandshake.this.lost(reason);
      }
    }
  }
}
