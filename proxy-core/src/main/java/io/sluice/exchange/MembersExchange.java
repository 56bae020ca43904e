package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.members.Members;
import io.sluice.execute.table.NotAnswerable;
import io.sluice.execute.members.ProxyMembers;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import java.util.ArrayList;
import java.util.List;

/**
 * A question about the cluster's members: a node is asked for the facts, then for the client's own
 * request, whose answer gets the rows of the proxies.
 */
public final class MembersExchange extends WholeExchange {

  private final List<NodeId> nodes;
  private final List<String> questions;
  private final List<RowSet> facts = new ArrayList<>();
  private int node;

  public MembersExchange(
      ProxyContext context, ClientRequest request, Statement statement, List<NodeId> nodes) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.nodes = context.health().healthyFirst(nodes);
    this.questions = Members.questions(statement.shape());
  }

  @Override
  protected void begin() {
    ask();
  }

  private void ask() {
    send(nodes.get(node));
  }

  /**
   * After the questions, the client's own request: the node checks, traces and warns of it, and
   * only its rows are replaced.
   */
  @Override
  Frame outgoing(NodeId to) {
    return facts.size() < questions.size()
        ? CqlCodec.query(request().client().version(), questions.get(facts.size()))
        : super.outgoing(to);
  }

  @Override
  public void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      heard(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refused) {
      fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else {
      next();
    }
  }

  private void next() {
    facts.clear();
    if (++node < nodes.size()) {
      handOn(nodes.get(node));
    } else {
      fail(new Failure.Unreachable("No node could be asked about the cluster"));
    }
  }

  private void heard(Frame frame) {
    if (!Answers.isRows(frame)) {
      answer(frame);
      return;
    }
    boolean asked = facts.size() < questions.size();
    if (asked) {
      facts.add(CqlCodec.readRows(frame));
    }
    Frame answer = asked ? null : conclusion(frame);
    frame.release();
    if (answer == null) {
      ask();
    } else {
      answer(answer);
    }
  }

  /** The client's answer, with what the node's answer to the same request says besides rows. */
  private Frame conclusion(Frame last) {
    try {
      RowSet rows =
          Members.answer(
              statement().shape(),
              statement().values(),
              members(),
              facts.get(0),
              facts.get(facts.size() - 1));
      return CqlCodec.rows(rows, last);
    } catch (NotAnswerable e) {
      return CqlCodec.error(
          request().client().version(), ErrorCode.INVALID, String.valueOf(e.getMessage()));
    }
  }

  private ProxyMembers members() {
    ExchangeConfig config = context().config();
    return new ProxyMembers(
        context().cluster().clusterName(),
        context().view().ring().partitioner().className(),
        config.advertise() == null ? request().client().connectedTo() : config.advertise(),
        config.peers());
  }

  @Override
  void waited(boolean wasSent) {
    if (node + 1 < nodes.size()) {
      abandonAttempt();
      next();
    }
  }
}
