package io.sluice.console;

import io.sluice.accept.Client;
import io.sluice.decide.plan.Planner;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The query to a node whether a client is a superuser, by its own role or by a granted one. It runs
 * with the client's identity, which may list its own roles. Not safe for several threads: the
 * client's lane.
 */
final class SuperuserQuestion implements AttemptListener {

  private final ProxyContext context;
  private final Client client;
  private final Consumer<Boolean> then;
  private final Consumer<String> failed;
  private final Iterator<NodeId> nodes;
  private @Nullable Attempt attempt;

  /**
   * Creates a query. {@link #ask} sends it.
   *
   * @param then called once with the answer
   * @param failed called instead with the reason when no node has answered; called too if {@code
   *     then} has thrown, because the request must end
   */
  SuperuserQuestion(
      ProxyContext context, Client client, Consumer<Boolean> then, Consumer<String> failed) {
    this.context = context;
    this.client = client;
    this.then = then;
    this.failed = failed;
    this.nodes =
        context
            .health()
            .healthyFirst(Planner.homeFirst(client.id(), context.view().ring()))
            .iterator();
  }

  void ask() {
    tryNextNode("no node is known");
  }

  private void tryNextNode(String reason) {
    Node node = null;
    while (node == null && nodes.hasNext()) {
      node = context.view().ring().node(nodes.next());
    }
    if (node == null) {
      failed.accept("No node could be asked for the roles of this client: " + reason);
      return;
    }
    String role = client.identity().role().replace("'", "''");
    Frame question = CqlCodec.query(client.version(), "LIST ROLES OF '" + role + "'");
    LinkKey key = new LinkKey(client.identity(), client.version(), null);
    Attempt next = context.dispatcher().attempt(client.lane(), node, key, question, this);
    attempt = next;
    next.start();
  }

  /** Continues with a task on the lane, so that nodes that fail at once do not deepen the stack. */
  private void leaveNode(String reason) {
    client.lane().execute(() -> tryNextNode(reason));
  }

  @Override
  public void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      answered(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refused) {
      failed.accept(refused.message());
    } else if (answer instanceof NodeAnswer.LinkLost lost) {
      leaveNode(lost.reason());
    }
  }

  /** Handles the node's answer. An error that says nothing of the role decides nothing. */
  private void answered(Frame frame) {
    Boolean superuser = null;
    String error = "";
    if (Answers.isRows(frame)) {
      superuser = isSuperuser(CqlCodec.readRows(frame));
    } else if (Answers.errorCode(frame) == ErrorCode.UNAUTHORIZED) {
      superuser = false;
    } else {
      error = frame.opcode() == Opcode.ERROR ? Answers.errorMessage(frame) : "unexpected answer";
    }
    frame.release();
    if (superuser == null) {
      leaveNode(error);
    } else {
      then.accept(superuser);
    }
  }

  private static boolean isSuperuser(RowSet roles) {
    int column = roles.indexOf("super");
    for (List<@Nullable ByteBuffer> role : roles.rows()) {
      ByteBuffer cell = column < 0 ? null : role.get(column);
      if (cell != null && cell.hasRemaining() && cell.get(cell.position()) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void broke(Throwable cause) {
    failed.accept(String.valueOf(cause.getMessage()));
  }

  @Override
  public void silent(boolean sent) {
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
      leaveNode("a node is silent");
    }
  }
}
